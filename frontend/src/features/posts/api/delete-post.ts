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
    // Gone already, perhaps from another tab: what was asked for.
    if (!isNotFound(error)) throw error;
  }
}

interface Outcome {
  onDeleted: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * DELETE /api/posts/{id}: out of every list immediately; on failure back in its places, then refetched (product.md
 * section 2, "Feed"): a server that is down answers no refetch either.
 * The outcome is told even though the card that asked is gone by then.
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
      // A list that was read meanwhile may have brought it back.
      changePost(queryClient, id, () => undefined);
      forgetCommentDraft(id);
      queryClient.removeQueries({ queryKey: queryKeys.posts.one(id), type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
    },
    onError: (error, id, before) => {
      // The lists are somebody else's by now.
      if (error instanceof SessionOverError) return;
      onFailed(error);
      if (before) putPostBack(queryClient, id, before);
      return queryClient.invalidateQueries({ queryKey: queryKeys.posts.all });
    },
  });
}
