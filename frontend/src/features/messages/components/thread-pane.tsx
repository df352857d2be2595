import { useCallback, useEffect, useId, useMemo, useRef } from 'react';
import { isNotFound } from '../../../server/http/api-error.js';
import type { Conversation, Me } from '../../../api/types.js';
import { LoadError } from '../../../components/states.js';
import { useDelayed } from '../../../components/use-delayed.js';
import { useThread } from '../api/get-thread.js';
import type { useOutbox } from '../api/send-messages.js';
import { useOutgoing } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import type { ThreadActions } from '../thread-actions.js';
import { EMPTY_THREAD } from '../thread.js';
import { Composer } from './composer.js';
import { ThreadHead } from './thread-head.js';
import { ThreadLog } from './thread-log.js';
import classes from './thread.module.css';

interface ThreadPaneProps extends Pick<ThreadActions, 'personEntries' | 'onReport'> {
  conversation: Conversation;
  /** False for one that the first message creates. */
  exists: boolean;
  /** False where the other user was deleted: nobody would receive what is written (MSG-11). */
  canWrite: boolean;
  viewer: Me;
  outbox: ReturnType<typeof useOutbox>;
  /** On a phone the thread takes the place of the list: leads back to it. */
  onBack?: () => void;
  /** Chosen by the user just now, not by an address that was opened. */
  chosen: boolean;
}

/** A conversation: who it is with, its messages, and the field (MSG-14). Give it a key: one for each conversation. */
export function ThreadPane({
  conversation,
  exists,
  canWrite,
  viewer,
  outbox,
  personEntries,
  onReport,
  onBack,
  chosen,
}: ThreadPaneProps) {
  const { messaging } = useMessagingTexts();
  const { otherUser } = conversation;
  const query = useThread(conversation.id, exists);
  const all = useOutgoing(viewer.id);
  const outgoing = useMemo(() => all.filter(({ to }) => to === otherUser.id), [all, otherUser.id]);
  // One that was only started, or that only this page knows, has no messages to read.
  const missing = !exists || (isNotFound(query.error) && conversation.lastMessage === null);
  // Until it is discarded: its text stays.
  const refused = outgoing.find((one) => one.refused !== undefined)?.refused;
  const closed = canWrite ? refused : messaging.gone;
  const thread = query.data ?? (missing ? EMPTY_THREAD : undefined);

  const field = useRef<HTMLTextAreaElement>(null);
  const pane = useRef<HTMLElement>(null);
  const nameId = useId();
  const phone = onBack !== undefined;
  // On a phone the field would open the keyboard over the messages.
  const takeFocus = useCallback(
    () => ((!phone && field.current) || pane.current)?.focus({ preventScroll: true }),
    [phone],
  );
  useEffect(() => {
    if (chosen) takeFocus();
  }, [chosen, takeFocus]);
  useEffect(() => {
    // The field had it.
    if (refused !== undefined && document.activeElement === document.body) takeFocus();
  }, [refused, takeFocus]);

  return (
    <section ref={pane} className={classes.pane} tabIndex={-1} aria-labelledby={nameId}>
      <ThreadHead
        nameId={nameId}
        user={otherUser}
        onBack={onBack}
        // A deleted user has no username, and nothing can be done about them.
        entries={otherUser.username === null ? undefined : personEntries(otherUser)}
      />
      {thread ? (
        <ThreadLog
          thread={thread}
          older={query.older}
          outgoing={outgoing}
          viewer={viewer}
          otherUser={otherUser}
          onReport={onReport}
          // The buttons that were pressed go away.
          onRetry={(one) => {
            outbox.retry(one);
            takeFocus();
          }}
          onDiscard={(one) => {
            outbox.discard(one, takeFocus);
            takeFocus();
          }}
        />
      ) : query.isError ? (
        <div className={classes.state}>
          <LoadError
            error={query.error}
            fallback={messaging.loadFailed}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : (
        <ThreadLoading />
      )}
      {closed === undefined ? (
        <Composer
          viewerId={viewer.id}
          to={otherUser.id}
          name={otherUser.name}
          field={field}
          onSend={(content) => outbox.send(otherUser.id, content)}
        />
      ) : (
        <p className={classes.gone} role={refused === undefined ? undefined : 'alert'}>
          {closed}
        </p>
      )}
    </section>
  );
}

export function ThreadLoading() {
  const { messaging } = useMessagingTexts();
  const due = useDelayed();
  return (
    <p role="status" className={classes.state}>
      {due && messaging.loading}
    </p>
  );
}
