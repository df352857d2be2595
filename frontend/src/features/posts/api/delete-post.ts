import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../../api/api-error.js';
import { client, unwrap } from '../../../api/client.js';
import { changePost, postKeys } from './post-cache.js';

async function deletePost(id: string): Promise<void> {
  try {
    await unwrap(client.DELETE('/api/posts/{id}', { params: { path: { id } } }));
  } catch (error) {
    // Gone already, perhaps from another tab: what was asked for.
    if (!isNotFound(error)) throw error;
  }
}

interface Outcome {
  onDeleted: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * DELETE /api/posts/{id}: out of every list immediately, refetched on failure (product.md section 2, "Feed").
 * The outcome is told even though the card that asked is gone by then.
 */
export function useDeletePost({ onDeleted, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deletePost,
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: postKeys.all });
      const pinned = queryClient.getQueryData(postKeys.pinned);
      changePost(queryClient, id, () => undefined);
      return { pinned };
    },
    onSuccess: (_, id) => {
      onDeleted();
      // A list that was read meanwhile may have brought it back.
      changePost(queryClient, id, () => undefined);
      queryClient.removeQueries({ queryKey: postKeys.one(id), type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey: ['profiles'] });
    },
    onError: (error, _id, before) => {
      onFailed(error);
      queryClient.setQueryData(postKeys.pinned, before?.pinned);
      return queryClient.invalidateQueries({ queryKey: postKeys.all });
    },
  });
}
