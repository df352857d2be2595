import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import {
  ApiError,
  NetworkError,
  SessionOverError,
  errorText,
  hasCode,
  isNotFound,
  isOffline,
  isTransient,
  refusalOf,
} from '../../../server/http/api-error.js';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { undoable } from '../../../components/feedback/undoable.js';
import { viewerId } from '../../../server/session/session.js';
import {
  addOutgoing,
  dropOutgoing,
  isWaiting,
  markFailed,
  markRetried,
  outgoingOf,
  putBack,
  releaseWaiting,
} from '../outbox.js';
import type { Outgoing } from '../outbox.js';
import { onceOnline, onceOver, stopWait } from '../conversation-waits.js';
import { useMessagingTexts } from '../texts.js';
import type { MessagingTexts } from '../texts.js';
import { showLastMessage } from './conversation-cache.js';
import { showInThread } from './get-thread.js';

/** The server knows a key for 24 h; what was written longer ago than this, in ms, is not sent by itself. */
const RESUMED_FOR = 60 * 60_000;

/**
 * What has waited for the network is tried again after each of these, in ms: the first calls after `online` may still fail,
 * or come before a new access token.
 */
const FURTHER_TRIES: readonly number[] = [2_000, 10_000, 30_000];

/** Conversations whose messages are being sent, by viewer and receiver: one message after the other in each (MSG-8). */
const sending = new Set<string>();
/** Those of them whose messages have waited for the network, and how many of the further tries were made. */
const furtherTries = new Map<string, number>();

interface Sender {
  viewer: Me;
  queryClient: QueryClient;
  texts: MessagingTexts;
}

const threadOf = ({ viewer }: Sender, to: string): string => `${viewer.id} ${to}`;

/** A token that was refused, while the session has not ended. */
const isRefusedToken = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Why the receiver takes no messages at all; undefined for other failures. */
function refusedFor(error: unknown, { messaging }: MessagingTexts): string | undefined {
  if (hasCode(error, 'blocked')) return messaging.refused;
  return isNotFound(error) ? messaging.gone : undefined;
}

function reasonOf(error: unknown, texts: MessagingTexts): string {
  const { messaging } = texts;
  const reason = refusalOf(error, 'content');
  if (reason !== undefined) return `${messaging.failed} ${reason}`;
  return errorText(error, messaging.failed, texts) ?? messaging.failed;
}

/** Sends what is on its way to `to`, one after the other; without effect while that is under way. */
async function sendOutgoing(sender: Sender, to: string): Promise<void> {
  const { viewer } = sender;
  const thread = threadOf(sender, to);
  if (sending.has(thread)) return;
  sending.add(thread);
  const next = () => outgoingOf(viewer.id).find((one) => one.to === to && one.failed === undefined);
  for (let outgoing = next(); outgoing; outgoing = next()) {
    if (viewerId() !== viewer.id || !(await sendOne(sender, outgoing))) break;
  }
  furtherTries.delete(thread);
  sending.delete(thread);
}

/** @returns false when the session is over: what is on its way goes on at the next sign-in of this user. */
async function sendOne(sender: Sender, outgoing: Outgoing): Promise<boolean> {
  const { viewer, queryClient } = sender;
  const { key, to, content } = outgoing;
  const thread = threadOf(sender, to);
  try {
    const message = await unwrap(
      client.POST('/api/messages', {
        params: { header: { 'Idempotency-Key': key } },
        body: { receiverId: to, content },
      }),
    );
    showInThread(queryClient, message);
    showLastMessage(queryClient, message, viewer.id);
    dropOutgoing(viewer.id, key);
    if (furtherTries.has(thread)) furtherTries.set(thread, 0);
  } catch (error) {
    // It is told once for all calls.
    if (error instanceof SessionOverError) return false;
    takeFailure(sender, outgoing, error);
  }
  return true;
}

/** Marks the message, and those after it where it is to be sent before them; one that waits is sent again by itself. */
function takeFailure(sender: Sender, { key, to }: Outgoing, error: unknown): void {
  const { viewer, texts } = sender;
  const thread = threadOf(sender, to);
  const tries = furtherTries.get(thread);
  const again =
    tries !== undefined && (error instanceof NetworkError || isRefusedToken(error))
      ? FURTHER_TRIES[tries]
      : undefined;
  const waits = isOffline(error) || again !== undefined;
  const waitsFor = isOffline(error) ? texts.messaging.waits : texts.messaging.waitsToRetry;
  const failure = waits
    ? { failed: waitsFor, waits }
    : { failed: reasonOf(error, texts), refused: refusedFor(error, texts) };
  // Those after it wait, so that they stay in order.
  const others = isTransient(error);
  markFailed(viewer.id, failure, (one) => one.key === key || (others && one.to === to));
  if (isOffline(error)) onceOnline(thread, () => resume(sender, to));
  else if (again !== undefined) onceOver(thread, again, () => resume(sender, to, (tries ?? 0) + 1));
}

/**
 * Goes on with what a reload interrupted and, with a network, with what waited for that, unless it is old (UI-61); also
 * beside another such call. `tries`: how many further tries were made.
 */
function resume(sender: Sender, to: string, tries = 0): void {
  const { viewer, texts } = sender;
  // Called later, it may find another viewer; this one's next visit goes on.
  if (viewerId() !== viewer.id) return;
  const thread = threadOf(sender, to);
  if (isWaiting(viewer.id, to)) {
    if (!navigator.onLine) return onceOnline(thread, () => resume(sender, to));
    stopWait(thread);
    furtherTries.set(thread, tries);
    releaseWaiting(viewer.id, to);
  }
  const isOld = ({ at }: Outgoing) => Date.now() - Date.parse(at) > RESUMED_FOR;
  markFailed(viewer.id, { failed: texts.messaging.failed }, (one) => one.to === to && isOld(one));
  void sendOutgoing(sender, to);
}

/** What a page does with messages on their way (MSG-8). A reload that interrupted some goes on with them. */
export function useOutbox(viewer: Me) {
  const queryClient = useQueryClient();
  const texts = useMessagingTexts();
  const sender: Sender = { viewer, queryClient, texts };

  const resumeAll = useEffectEvent(() => {
    for (const to of new Set(outgoingOf(viewer.id).map((one) => one.to))) resume(sender, to);
  });
  useEffect(() => resumeAll(), [viewer.id]);

  return {
    send: (to: string, content: string) => {
      // A page that slept may not have been told that the network is back.
      if (navigator.onLine && isWaiting(viewer.id, to)) resume(sender, to);
      addOutgoing(viewer.id, to, content);
      void sendOutgoing(sender, to);
    },
    retry: ({ key, to, waits }: Outgoing) => {
      if (waits) furtherTries.set(threadOf(sender, to), 0);
      markRetried(viewer.id, key);
      void sendOutgoing(sender, to);
    },
    discard: (outgoing: Outgoing, onUndone: () => void) => {
      dropOutgoing(viewer.id, outgoing.key);
      undoable({
        subject: outgoing.key,
        type: 'info',
        message: texts.messaging.discarded,
        undoLabel: texts.dialog.undo,
        undo: () => {
          putBack(viewer.id, outgoing);
          // The network may have come back meanwhile.
          if (outgoing.waits) resume(sender, outgoing.to);
          onUndone();
        },
      });
    },
  };
}
