import { IconFlag, IconUserCancel } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '../../server/http/api-error.js';
import type { Comment, Post, UserRef } from '../../api/types.js';
import { confirm, toast } from '../../components/feedback/feedback-store.js';
import { lazyComponent } from '../../components/lazy-component.js';
import { LazyDialog } from '../../components/lazy-dialog.js';
import type { MenuEntries, ReturnFocusTo } from '../../components/menu/menu-entry.js';
import { useCurrentUser } from '../../server/session/session.js';
import { useBlock } from './api/block-user.js';
import type { SubjectType } from './api/send-report.js';
import { usePeopleTexts } from './texts.js';

const ReportDialog = lazyComponent(() =>
  import('./components/report-dialog.js').then((module) => module.ReportDialog),
);

const LikesDialog = lazyComponent(() =>
  import('./components/likes-dialog.js').then((module) => module.LikesDialog),
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

/** The act of notices. */
const blockAct = (id: string) => `block:${id}`;

/**
 * Report and Block (PEOPLE-26) as entries of the menus of posts, comments and users, reporting for other menus, and the list
 * of those who like a post. Render `dialog` outside of the menus, which are closed when it opens.
 */
export function usePeopleActions({ onBlocked }: PeopleActionsOptions = {}) {
  const texts = usePeopleTexts();
  const { people, report } = texts;
  const viewer = useCurrentUser();
  const [reported, setReported] = useState<Reported>();
  const [liked, setLiked] = useState<{ postId: string; returnFocusTo: ReturnFocusTo }>();
  const block = useBlock({
    onDone: ({ user, blocked }) => {
      const message = blocked ? people.blockDone(user.name) : people.unblockDone(user.name);
      toast({ type: 'success', message, act: blockAct(user.id) });
      if (blocked) onBlocked?.(user.id);
    },
    onFailed: (error, { user, blocked }) => {
      const fallback = blocked ? people.blockFailed : people.unblockFailed;
      toast({ type: 'error', message: errorText(error, fallback, texts), act: blockAct(user.id) });
    },
  });

  const askAndBlock = async (user: Person, returnFocusTo: ReturnFocusTo) => {
    const confirmed = await confirm({
      title: people.blockTitle(user.name),
      message: people.confirmBlock,
      confirmLabel: people.blockAction,
      danger: true,
      returnFocusTo,
    });
    if (confirmed) block.mutate({ user, blocked: true });
  };
  // Without a question: it harms nobody, and is taken back as easily.
  const unblock = (user: Person) => block.mutate({ user, blocked: false });

  const entriesOf =
    (user: Person, subject: Omit<Reported, 'returnFocusTo'>, text: string): MenuEntries =>
    (returnFocusTo) => [
      { label: text, Icon: IconFlag, run: () => setReported({ ...subject, returnFocusTo }) },
      {
        label: people.block(user.name),
        Icon: IconUserCancel,
        run: () => void askAndBlock(user, returnFocusTo),
      },
    ];

  /** For a signed-in viewer and posts or comments of others; otherwise nothing. */
  const entriesFor =
    (subjectType: 'post' | 'comment') =>
    ({ id, author }: Post | Comment): MenuEntries =>
      viewer && viewer.id !== author.id
        ? entriesOf(author, { subjectType, subjectId: id }, report[subjectType])
        : () => [];
  const entries = { post: entriesFor('post'), comment: entriesFor('comment') };
  const personEntries = (user: Person): MenuEntries =>
    entriesOf(user, { subjectType: 'user', subjectId: user.id }, report.user(user.name));

  const showLikes = ({ id }: Post, returnFocusTo: ReturnFocusTo) => setLiked({ postId: id, returnFocusTo });
  const closeReport = () => setReported(undefined);
  const closeLikes = () => setLiked(undefined);

  const dialog = (
    <>
      {reported && (
        <LazyDialog onClose={closeReport}>
          <ReportDialog reported={reported} onClose={closeReport} />
        </LazyDialog>
      )}
      {liked && (
        <LazyDialog onClose={closeLikes}>
          <LikesDialog {...liked} onClose={closeLikes} />
        </LazyDialog>
      )}
    </>
  );
  const unblocking = block.isPending;
  return { entries, personEntries, report: setReported, showLikes, unblock, unblocking, dialog };
}
