import { Menu } from '@mantine/core';
import { IconFlag, IconUserCancel } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { errorText } from '../../api/api-error.js';
import type { Comment, Post, UserRef } from '../../api/types.js';
import type { ReturnFocusTo } from '../../components/dots-menu.js';
import { confirm, notify, toast } from '../../components/feedback/feedback-store.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { LazyDialog } from '../../components/lazy-dialog.js';
import { useCurrentUser } from '../../session/session.js';
import { useBlock } from './api/block-user.js';
import type { SubjectType } from './api/send-report.js';
import { usePeopleMessages } from './messages.js';

const ReportDialog = lazyComponent(() =>
  import('./components/report-dialog.js').then((module) => module.ReportDialog),
);

type Person = Pick<UserRef, 'id' | 'name'>;

export interface Reported {
  subjectType: SubjectType;
  subjectId: string;
  returnFocusTo: ReturnFocusTo;
}

interface PeopleActionsOptions {
  onBlocked?: (userId: string) => void;
}

/**
 * Report and Block as menu items for posts, comments and users. Render `dialog` outside of the menus, which are closed
 * when it opens.
 */
export function usePeopleActions({ onBlocked }: PeopleActionsOptions = {}) {
  const messages = usePeopleMessages();
  const { people, report } = messages;
  const viewer = useCurrentUser();
  const [reported, setReported] = useState<Reported>();
  const block = useBlock({
    onDone: ({ user, blocked }) => {
      const message = blocked ? people.blockDone(user.name) : people.unblockDone(user.name);
      toast({ type: 'success', message });
      if (blocked) onBlocked?.(user.id);
    },
    onFailed: (error, { blocked }) => {
      const fallback = blocked ? people.blockFailed : people.unblockFailed;
      notify({ type: 'error', message: errorText(error, fallback, messages) });
    },
  });

  const askAndBlock = async (user: Person, returnFocusTo: ReturnFocusTo) => {
    const confirmed = await confirm({
      title: people.blockTitle(user.name),
      message: people.confirmBlock,
      confirmLabel: people.blockAction,
      returnFocusTo,
    });
    if (confirmed) block.mutate({ user, blocked: true });
  };
  const askAndUnblock = async (user: Person) => {
    const confirmed = await confirm({
      title: people.unblockTitle(user.name),
      message: people.confirmUnblock,
      confirmLabel: people.unblock,
    });
    if (confirmed) block.mutate({ user, blocked: false });
  };

  const entries = (
    user: Person,
    subject: Omit<Reported, 'returnFocusTo'>,
    text: string,
    returnFocusTo: ReturnFocusTo,
  ) => (
    <>
      <Menu.Item
        leftSection={<IconFlag size={18} aria-hidden />}
        onClick={() => setReported({ ...subject, returnFocusTo })}
      >
        <span className="two-lines">{text}</span>
      </Menu.Item>
      <Menu.Item
        leftSection={<IconUserCancel size={18} aria-hidden />}
        onClick={() => void askAndBlock(user, returnFocusTo)}
      >
        <span className="two-lines">{people.block(user.name)}</span>
      </Menu.Item>
    </>
  );

  /** For a signed-in viewer and posts or comments of others; otherwise nothing. */
  const entriesFor =
    (subjectType: 'post' | 'comment') =>
    ({ id, author }: Post | Comment, returnFocusTo: ReturnFocusTo): ReactNode =>
      viewer && viewer.id !== author.id
        ? entries(author, { subjectType, subjectId: id }, report[subjectType], returnFocusTo)
        : null;
  const items = { post: entriesFor('post'), comment: entriesFor('comment') };
  const personItems = (user: Person, returnFocusTo: ReturnFocusTo): ReactNode =>
    entries(user, { subjectType: 'user', subjectId: user.id }, report.user(user.name), returnFocusTo);

  const dialog = reported && (
    <LazyDialog onClose={() => setReported(undefined)}>
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
    </LazyDialog>
  );
  return { items, personItems, unblock: askAndUnblock, unblocking: block.isPending, dialog };
}
