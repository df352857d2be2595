import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ApiError, SessionOverError, errorText, hasCode, isNotFound } from '../../../api/api-error.js';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../client/client.js';
import { undoable } from '../../../components/feedback/undoable.js';
import { addOutgoing, dropOutgoing, markFailed, markRetried, outgoingOf, putBack } from '../outbox.js';
import type { Outgoing } from '../outbox.js';
import { useMessagingTexts } from '../texts.js';
import type { MessagingTexts } from '../texts.js';
import { showLastMessage } from './conversation-cache.js';
import { showInThread } from './get-thread.js';

/** The server knows a key for 24 h; what a reload interrupted longer ago, in ms, is not sent by itself. */
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
      markFailed(viewer.id, reasonOf(error, texts), (one) => one.key === key || (others && one.to === to));
      return true;
    }
  }
}

/** What a page does with messages on their way (MSG-8). A reload that interrupted some goes on with them. */
export function useOutbox(viewer: Me) {
  const queryClient = useQueryClient();
  const texts = useMessagingTexts();
  const sender: Sender = { viewer, queryClient, texts };

  const resume = useEffectEvent(() => {
    const isOld = ({ at }: Outgoing) => Date.now() - Date.parse(at) > RESUMED_FOR;
    if (outgoingOf(viewer.id).some((one) => one.failed === undefined && isOld(one)))
      markFailed(viewer.id, texts.messaging.failed, isOld);
    for (const to of new Set(outgoingOf(viewer.id).map((one) => one.to))) void sendWaiting(sender, to);
  });
  useEffect(() => resume(), [viewer.id]);

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
