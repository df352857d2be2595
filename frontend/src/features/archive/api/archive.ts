import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Archive } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { isOffline, NetworkError } from '../../../server/http/api-error.js';
import { queryKey } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';

const ARCHIVE = queryKey('archive');
/** While it is built, in ms. */
const LOOKS_EVERY = 2_000;
/** Its address holds for an hour (LIMIT-20). */
const ADDRESS_AGE = 30 * 60_000;

/** The viewer's archive (GET /api/me/archive), read again while it is built. */
export const useArchive = () =>
  useQuery({
    queryKey: ARCHIVE,
    queryFn: () => unwrap(client.GET('/api/me/archive')),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === 'building') return LOOKS_EVERY;
      return data?.status === 'ready' && ADDRESS_AGE;
    },
  });

interface Outcome {
  onDone?: () => void;
  onFailed: (error: Error) => void;
}

interface Preparing extends Outcome {
  /** It has begun, and the page has waited for the answer for as long as it does. */
  onSlow: () => void;
}

/** POST /api/me/archive: a new one takes the place of the one before. Answers when the document is whole, after minutes at most. */
export function usePrepareArchive({ onSlow, onFailed }: Preparing) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => unwrap(client.POST('/api/me/archive')),
    onSuccess: (archive) => queryClient.setQueryData<Archive>(ARCHIVE, archive),
    onError: async (error) => {
      const before = queryClient.getQueryData<Archive>(ARCHIVE);
      const isRead = queryClient.invalidateQueries({ queryKey: ARCHIVE });
      if (!(error instanceof NetworkError) || isOffline(error)) {
        onFailed(error);
        return;
      }
      // It goes on without this page, and may be there.
      await isRead;
      const now = queryClient.getQueryData<Archive>(ARCHIVE);
      const isNew = now?.requestedAt !== before?.requestedAt;
      if (now?.status === 'building') onSlow();
      else if (now?.status !== 'ready' || !isNew) onFailed(error);
    },
  });
}

/** DELETE /api/me/archive, also while it is built. */
export function useDeleteArchive({ onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => unwrap(client.DELETE('/api/me/archive')),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ARCHIVE });
      onDone?.();
    },
    onError: onFailed,
  });
}
