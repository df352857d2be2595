import { Menu } from '@mantine/core';
import { IconFlag, IconUserCancel } from '@tabler/icons-react';
import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { errorText } from '../../api/api-error.js';
import type { Post, UserRef } from '../../api/types.js';
import { confirm, notify, toast } from '../../components/feedback/feedback-store.js';
import { useMessages } from '../../i18n/messages.js';
import { useCurrentUser } from '../../session/session.js';
import { useBlock } from './api/block-user.js';

const ReportDialog = lazy(() =>
  import('./components/report-dialog.js').then((module) => ({ default: module.ReportDialog })),
);

type ReturnFocusTo = () => HTMLElement | null;
type Person = Pick<UserRef, 'id' | 'name'>;

export interface Reported {
  subjectType: 'user' | 'post';
  subjectId: string;
  returnFocusTo: ReturnFocusTo;
}

/**
 * Report and block, as menu items for posts and people; `dialog` must be rendered outside the menus, which are gone by
 * the time it opens.
 */
export function usePeopleActions({ onBlocked }: { onBlocked?: () => void } = {}) {
  const messages = useMessages();
  const { people, report } = messages;
  const viewer = useCurrentUser();
  const [reported, setReported] = useState<Reported>();
  const block = useBlock({
    onDone: ({ user, blocked }) => {
      const message = blocked ? people.blockDone(user.name) : people.unblockDone(user.name);
      toast({ type: 'success', message });
      if (blocked) onBlocked?.();
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

  const items = (
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
        {text}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconUserCancel size={18} aria-hidden />}
        onClick={() => void askAndBlock(user, returnFocusTo)}
      >
        {people.block(user.name)}
      </Menu.Item>
    </>
  );

  /** For others' posts, signed in; nothing otherwise. */
  const postItems = ({ id, author }: Post, returnFocusTo: ReturnFocusTo): ReactNode =>
    viewer && viewer.id !== author.id
      ? items(author, { subjectType: 'post', subjectId: id }, report.post, returnFocusTo)
      : null;
  const personItems = (user: Person, returnFocusTo: ReturnFocusTo): ReactNode =>
    items(user, { subjectType: 'user', subjectId: user.id }, report.user(user.name), returnFocusTo);

  const dialog = reported && (
    <Suspense>
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
    </Suspense>
  );
  return { postItems, personItems, unblock: askAndUnblock, unblocking: block.isPending, dialog };
}
