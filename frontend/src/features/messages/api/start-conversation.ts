import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { showConversation } from './conversation-cache.js';

/** POST /api/conversations: the conversation with a user, which is made if there is none (MSG-2). */
async function start(queryClient: QueryClient, userId: string) {
  const conversation = await unwrap(client.POST('/api/conversations', { body: { userId } }));
  showConversation(queryClient, conversation);
  return conversation;
}

/** For the button on a profile; `onEnd` is called also when starting failed (MSG-16). */
export function useStartConversation(onEnd: () => void) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: (userId: string) => start(queryClient, userId), onSettled: onEnd });
}

/** Starts the conversation that an address asks for, where there is none (MSG-15). Safe to repeat, as a query may be. */
export function useStartedConversation(userId: string, enabled: boolean) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: queryKeys.conversations.startWith(userId),
    queryFn: () => start(queryClient, userId),
    enabled,
    retry: false,
    staleTime: Infinity,
  });
}
