import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Me, Message, UserRef } from '../../../api/types.js';
import { untilDone } from '../../../server/http/retry.js';
import { BusyButton } from '../../../components/busy-button.js';
import { useTabVisible } from '../../../components/use-tab-visible.js';
import type { useThread } from '../api/get-thread.js';
import { useMarkRead } from '../api/mark-read.js';
import { isUnread } from '../conversation.js';
import type { Outgoing } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import type { ThreadActions } from '../thread-actions.js';
import type { Thread } from '../thread.js';
import { Chunk, OutgoingBubble } from './bubble.js';
import classes from './thread.module.css';
import { useScrollPosition } from './use-scroll-position.js';

interface ThreadLogProps extends Pick<ThreadActions, 'onReport'> {
  thread: Thread;
  older: ReturnType<typeof useThread>['older'];
  outgoing: readonly Outgoing[];
  viewer: Me;
  otherUser: UserRef;
  onRetry: (outgoing: Outgoing) => void;
  onDiscard: (outgoing: Outgoing) => void;
}

/** The messages of a conversation (MSG-14); what the viewer sees is marked as read (MSG-6). */
export function ThreadLog({
  thread,
  older,
  outgoing,
  viewer,
  otherUser,
  onReport,
  onRetry,
  onDiscard,
}: ThreadLogProps) {
  const { messaging } = useMessagingTexts();
  const newest = thread.chunks.at(-1)?.at(-1);
  const ownLast = outgoing.at(-1)?.key;
  const { scroller, tail, atNewest, onScroll, toNewest } = useScrollPosition(
    `${newest?.id} ${outgoing.length}`,
  );

  // What one writes is seen, wherever one has read before.
  const lastOwn = useRef(ownLast);
  useEffect(() => {
    if (ownLast !== undefined && ownLast !== lastOwn.current) toNewest();
    lastOwn.current = ownLast;
  }, [ownLast, toNewest]);

  const visible = useTabVisible();
  const [seen, setSeen] = useState<Message | undefined>(newest);
  if (atNewest && visible && seen !== newest) setSeen(newest);
  const unseen = countAfter(thread, seen, viewer.id);

  useMarkAsSeen(lastUnread(thread, viewer.id), viewer.id, visible && atNewest);

  const shown = { viewerId: viewer.id, name: otherUser.name, onReport };
  const empty = thread.chunks.every((chunk) => chunk.length === 0) && outgoing.length === 0;
  const last = thread.chunks.length - 1;
  return (
    <div className={classes.logFrame}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="region"
        aria-label={messaging.thread(otherUser.name)}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={classes.messages} data-empty={empty || undefined}>
          <Older older={older} loaded={thread.chunks.length} />
          {/* Not in the log: what is loaded above is no news. */}
          {thread.chunks.slice(0, -1).map((chunk) => (
            <div key={chunk[0]?.id} className={classes.chunk}>
              <Chunk messages={chunk} {...shown} />
            </div>
          ))}
          <div ref={tail}>
            <div role="log" aria-live="polite" aria-label={messaging.title} className={classes.newest}>
              <Chunk messages={thread.chunks[last] ?? NO_MESSAGES} {...shown} />
            </div>
            {outgoing.map((one, index) => (
              <OutgoingBubble
                key={one.key}
                outgoing={one}
                first={index === 0}
                onRetry={() => onRetry(one)}
                onDiscard={() => onDiscard(one)}
              />
            ))}
          </div>
          {empty && <p className={classes.emptyThread}>{messaging.emptyThread}</p>}
        </div>
      </div>
      {!atNewest && (
        <Button
          className={classes.pill}
          variant="default"
          radius="xl"
          leftSection={<IconArrowDown size={18} aria-hidden />}
          aria-label={unseen > 0 ? undefined : messaging.toNewest}
          data-round={unseen === 0 || undefined}
          onClick={() => {
            toNewest();
            // The button goes away.
            scroller.current?.focus({ preventScroll: true });
          }}
        >
          {unseen > 0 && messaging.newMessages(unseen)}
        </Button>
      )}
    </div>
  );
}

const NO_MESSAGES: readonly Message[] = [];

/** The last message that the viewer received and has not read. */
const lastUnread = (thread: Thread, viewerId: string): Message | undefined =>
  thread.chunks.at(-1)?.findLast((message) => isUnread(message, viewerId));

/** How many messages of the other user came after one. */
function countAfter({ chunks }: Thread, seen: Message | undefined, viewerId: string): number {
  const newest = chunks.at(-1) ?? NO_MESSAGES;
  const from = newest.findIndex(({ id }) => id === seen?.id) + 1;
  return newest.slice(from).filter(({ senderId }) => senderId !== viewerId).length;
}

/**
 * Marks everything up to a message as read, as soon as it can be seen (MSG-6, UI-62). What fails is tried again while it can be
 * seen: at once when the network is back, otherwise later with each failure.
 */
function useMarkAsSeen(unread: Message | undefined, viewerId: string, canSee: boolean): void {
  const { mutateAsync: markRead } = useMarkRead(viewerId);
  const shown = useRef(unread);
  useEffect(() => {
    shown.current = unread;
  });
  const id = unread?.id;
  useEffect(() => {
    const message = shown.current;
    if (!canSee || id === undefined || !message) return;
    const over = new AbortController();
    void untilDone(() => markRead(message), over.signal);
    return () => over.abort();
  }, [id, canSee, markRead]);
}

/** Loads older messages before the reader comes to the oldest one. */
function Older({ older, loaded }: { older: ThreadLogProps['older']; loaded: number }) {
  const { app, messaging } = useMessagingTexts();
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(() => void older.load());
  const watching = older.has && older.state === 'idle';
  useEffect(() => {
    const element = end.current;
    if (!watching || !element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) load();
      },
      { root: element.closest('[role=region]'), rootMargin: '1200px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [watching, loaded]);

  if (!older.has) return null;
  const failed = older.state === 'failed';
  return (
    <div ref={end} className={classes.older} role={failed ? 'alert' : undefined}>
      {failed && <p>{messaging.olderFailed}</p>}
      <BusyButton
        variant="subtle"
        color="gray"
        label={failed ? app.retry : messaging.loadOlder}
        busy={older.state === 'loading'}
        onClick={() => void older.load()}
      />
    </div>
  );
}
