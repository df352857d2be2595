import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletion } from '../../../components/feedback/deletions.js';
import { forgetDraftsOf } from '../drafts.js';
import { changePost } from './post-cache.js';

interface Outcome {
  /** Says that it is deleted. */
  message: string;
  onFailed: (error: unknown) => void;
  /** For the post's own page, which is left. */
  onUndone?: () => void;
}

/** DELETE /api/posts/{id}, with Undo; after a failure the lists are fetched again (POST-13). */
export function useDeletePost({ message, onFailed, onUndone }: Outcome): (id: string) => void {
  const queryClient = useQueryClient();
  const startDeletion = useDeletion();
  return (id) =>
    startDeletion({
      id,
      message,
      selector: `[data-post="${id}"]`,
      onUndone,
      send: () => unwrap(client.DELETE('/api/posts/{id}', { params: { path: { id } }, keepalive: true })),
      onDeleted: () => {
        changePost(queryClient, id, () => undefined);
        forgetDraftsOf(id);
        queryClient.removeQueries({ queryKey: queryKeys.posts.one(id), type: 'inactive' });
        void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
        void queryClient.invalidateQueries({ queryKey: queryKeys.storage });
      },
      onFailed: (error) => {
        onFailed(error);
        void queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
      },
    });
}
