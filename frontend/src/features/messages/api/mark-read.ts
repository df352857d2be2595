import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Message } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { getBadges, showRead } from '../../../server/live/badges.js';
import { recount, reloadConversations, showAsRead } from './conversation-cache.js';
import { showThreadAsRead } from './get-thread.js';

/** POST /api/conversations/{id}/read: marks what the viewer received up to a message (MSG-6). */
export function useMarkRead(viewerId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, conversationId }: Message) =>
      unwrap(
        client.POST('/api/conversations/{id}/read', {
          params: { path: { id: conversationId } },
          body: { upTo: id },
          // Sent also when the page is left at once.
          keepalive: true,
        }),
      ),
    onMutate: ({ conversationId }) => {
      const unread = showAsRead(queryClient, conversationId);
      return showRead({ messages: Math.max(0, getBadges().messages - unread) });
    },
    onSuccess: (_nothing, upTo) => {
      showThreadAsRead(queryClient, viewerId, upTo);
      recount(queryClient, upTo.conversationId);
    },
    // The badges come back until it is tried again.
    onError: () => reloadConversations(queryClient),
    onSettled: (_nothing, error, _upTo, answered) => answered?.(error === null),
  });
}
