import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import {
  ApiError,
  SessionOverError,
  errorText,
  hasCode,
  isNotFound,
  isOffline,
} from '../../../api/api-error.js';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../client/client.js';
import { undoable } from '../../../components/feedback/undoable.js';
import {
  addOutgoing,
  dropOutgoing,
  markFailed,
  markRetried,
  outgoingOf,
  putBack,
  releaseWaiting,
} from '../outbox.js';
import type { Outgoing } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import type { MessagingTexts } from '../texts.js';
import { showLastMessage } from './conversation-cache.js';
import { showInThread } from './get-thread.js';

/** The server knows a key for 24 h; what was written longer ago than this, in ms, is not sent by itself. */
const RESUMED_FOR = 60 * 60_000;

/** Conversations whose messages are being sent, by viewer and receiver: one message after the other in each (MSG-8). */
const sending = new Set<string>();

interface Sender {
  viewer: Me;
  queryClient: QueryClient;
  texts: MessagingTexts;
}

/** Whether another try may succeed: then the messages after it wait, so that they stay in order. */
const isTransient = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429 || error.status === 409;

function reasonOf(error: unknown, texts: MessagingTexts): string {
  const { messaging } = texts;
  if (hasCode(error, 'blocked')) return messaging.refused;
  if (isNotFound(error)) return messaging.gone;
  return errorText(error, messaging.failed, texts) ?? messaging.failed;
}

/** Sends what waits for `to`, one after the other; without effect while that is under way. */
async function sendWaiting(sender: Sender, to: string): Promise<void> {
  const { viewer, queryClient, texts } = sender;
  const place = `${viewer.id} ${to}`;
  if (sending.has(place)) return;
  sending.add(place);
  const next = () => outgoingOf(viewer.id).find((one) => one.to === to && one.failed === undefined);
  for (let outgoing = next(); outgoing; outgoing = next()) {
    if (!(await sendOne(outgoing))) break;
  }
  sending.delete(place);

  async function sendOne({ key, content }: Outgoing): Promise<boolean> {
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
      return true;
    } catch (error) {
      // The next sign-in of this user goes on; the end of the session is told once for all calls.
      if (error instanceof SessionOverError) return false;
      const others = isTransient(error);
      const offline = isOffline(error);
      const failure = offline
        ? { failed: texts.messaging.waits, waits: true }
        : { failed: reasonOf(error, texts) };
      markFailed(viewer.id, failure, (one) => one.key === key || (others && one.to === to));
      if (offline) whenOnline(() => resume(sender, to));
      return true;
    }
  }
}

function whenOnline(run: () => void): void {
  if (navigator.onLine) run();
  else window.addEventListener('online', run, { once: true });
}

/** Goes on with what a reload interrupted and what waited for the network, unless it is old; also beside another such call. */
function resume(sender: Sender, to: string): void {
  const { viewer, texts } = sender;
  releaseWaiting(viewer.id, to);
  const isOld = ({ at }: Outgoing) => Date.now() - Date.parse(at) > RESUMED_FOR;
  markFailed(viewer.id, { failed: texts.messaging.failed }, (one) => one.to === to && isOld(one));
  void sendWaiting(sender, to);
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
      addOutgoing(viewer.id, to, content);
      void sendWaiting(sender, to);
    },
    retry: ({ key, to }: Outgoing) => {
      markRetried(viewer.id, key);
      void sendWaiting(sender, to);
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
          onUndone();
        },
      });
    },
  };
}
