import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Message } from '../../../api/types.js';
import { client, unwrap } from '../../../client/client.js';
import { reloadConversations, showAsRead } from './conversation-cache.js';
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
    onMutate: ({ conversationId }) => showAsRead(queryClient, conversationId),
    onSuccess: (_nothing, upTo) => showThreadAsRead(queryClient, viewerId, upTo),
    // The badge comes back with the list; the next message, or coming back to the tab, tries again.
    onError: () => reloadConversations(queryClient),
  });
}
