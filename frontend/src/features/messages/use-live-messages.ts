import { useQueryClient } from '@tanstack/react-query';
import type { Message } from '../../api/types.js';
import { useLiveEvents } from '../../server/live/live-events.js';
import { reloadConversations, showLastMessage } from './api/conversation-cache.js';
import { reloadThreads, showInThread } from './api/get-thread.js';
import { outgoingOf } from './outbox.js';

/** Sent by this tab: the answer takes the place of what is shown already. */
const isOnItsWay = ({ senderId, receiverId, content }: Message, viewerId: string): boolean =>
  senderId === viewerId &&
  outgoingOf(viewerId).some(
    (one) => one.failed === undefined && one.to === receiverId && one.content === content,
  );

/** Keeps list and thread up to date while they are on the page; after a gap both are read again (NOTIF-8). */
export function useLiveMessages(viewerId: string): void {
  const queryClient = useQueryClient();
  useLiveEvents((event) => {
    if (event.type === 'message') {
      if (isOnItsWay(event.data, viewerId)) return;
      showInThread(queryClient, event.data);
      showLastMessage(queryClient, event.data, viewerId);
    }
    if (event.type === 'reload') {
      reloadConversations(queryClient);
      reloadThreads(queryClient);
    }
  });
}
