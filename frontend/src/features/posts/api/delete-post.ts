import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SessionOverError, isNotFound } from '../../../api/api-error.js';
import { queryKeys } from '../../../api/query-keys.js';
import { client, unwrap } from '../../../client/client.js';
import { forgetCommentDraft } from '../drafts.js';
import { changePost, putPostBack, snapshotPosts } from './post-cache.js';

async function deletePost(id: string): Promise<void> {
  try {
    await unwrap(client.DELETE('/api/posts/{id}', { params: { path: { id } } }));
  } catch (error) {
    // Deleted already, perhaps in another tab: nothing to do.
    if (!isNotFound(error)) throw error;
  }
}

interface Outcome {
  onDeleted: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * DELETE /api/posts/{id}: removed from every list at once; on failure restored, then refetched (POST-13), since a
 * server that is down does not answer the refetch either. The callbacks run even though the post's card is unmounted.
 */
export function useDeletePost({ onDeleted, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deletePost,
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: queryKeys.posts.all });
      const before = snapshotPosts(queryClient);
      changePost(queryClient, id, () => undefined);
      return before;
    },
    onSuccess: (_, id) => {
      onDeleted();
      // A list that was read in the meantime may contain it again.
      changePost(queryClient, id, () => undefined);
      forgetCommentDraft(id);
      queryClient.removeQueries({ queryKey: queryKeys.posts.one(id), type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
    },
    onError: (error, id, before) => {
      // The lists now belong to another viewer.
      if (error instanceof SessionOverError) return;
      onFailed(error);
      if (before) putPostBack(queryClient, id, before);
      return queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
    },
  });
}
