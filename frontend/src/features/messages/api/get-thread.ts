import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isNotFound } from '../../../server/http/api-error.js';
import { queryKey } from '../../../server/queries/query-keys.js';
import type { Message } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { THREAD_PAGE } from '../../../shared/conversation-id.js';
import { EMPTY_THREAD, withMessage, withNewest, withOlder, withRead } from '../thread.js';
import type { Thread } from '../thread.js';

/** The prefix of the keys of all threads. */
const THREADS = queryKey('threads');

const threadKey = (conversationId: string) => queryKey('threads', conversationId);

const fetchPage = (id: string, cursor?: string) =>
  unwrap(
    client.GET('/api/conversations/{id}/messages', {
      params: { path: { id }, query: { limit: THREAD_PAGE, cursor } },
    }),
  );

/**
 * The messages of a conversation, the newest page first, older ones as they are asked for (MSG-7). Reading it again reads
 * the newest page, and keeps what was loaded before it. One that does not exist yet is not asked for.
 */
export function useThread(conversationId: string, exists: boolean) {
  const queryClient = useQueryClient();
  const key = threadKey(conversationId);
  const query = useQuery({
    queryKey: key,
    queryFn: async () => {
      const newest = await fetchPage(conversationId);
      // Taken afterwards: messages may have arrived meanwhile.
      return withNewest(queryClient.getQueryData<Thread>(key), newest);
    },
    enabled: exists,
    retry: (failures, error) => failures < 1 && !isNotFound(error),
    // Thousands of messages; their chunks stay the same where nothing changed.
    structuralSharing: false,
    // Nothing follows it while it is not on the page.
    staleTime: 0,
  });

  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle');
  const loading = useRef(false);
  const cursor = query.data?.olderCursor ?? undefined;
  const loadOlder = async () => {
    if (loading.current || cursor === undefined) return;
    loading.current = true;
    setOlder('loading');
    try {
      const page = await fetchPage(conversationId, cursor);
      // Unless the thread was replaced meanwhile, and begins elsewhere.
      queryClient.setQueryData<Thread>(key, (thread) =>
        thread?.olderCursor === cursor ? withOlder(thread, page) : thread,
      );
      setOlder('idle');
    } catch {
      // Told where the older messages would be, with a way to try again.
      setOlder('failed');
    } finally {
      loading.current = false;
    }
  };
  return { ...query, older: { has: cursor !== undefined, state: older, load: loadOlder } };
}

/** Shows a message that was sent or that arrived, if the thread has been read. */
export function showInThread(queryClient: QueryClient, message: Message): void {
  const key = threadKey(message.conversationId);
  const state = queryClient.getQueryState<Thread>(key);
  if (!state) return;
  // The first message makes a conversation that was not there to be read, or was not asked for.
  const isNew =
    state.data === undefined &&
    state.fetchStatus === 'idle' &&
    (state.error === null || isNotFound(state.error));
  if (state.data === undefined && !isNew) return reloadThread(queryClient, message.conversationId);
  queryClient.setQueryData<Thread>(key, (thread = EMPTY_THREAD) => withMessage(thread, message));
}

export const showThreadAsRead = (queryClient: QueryClient, viewerId: string, upTo: Message): void =>
  void queryClient.setQueryData<Thread>(
    threadKey(upTo.conversationId),
    (thread) => thread && withRead(thread, viewerId, upTo),
  );

export const reloadThread = (queryClient: QueryClient, conversationId: string): void =>
  void queryClient.invalidateQueries({ queryKey: threadKey(conversationId) });

export const reloadThreads = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: THREADS });
