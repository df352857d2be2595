import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../../api/api-error.js';
import { queryKeys } from '../../../api/query-keys.js';
import { client, unwrap } from '../../../client/client.js';
import { changeComment } from './comment-cache.js';
import type { CommentPages } from './comment-cache.js';
import { changePost, withCommentCount } from './post-cache.js';

async function deleteComment(id: string): Promise<void> {
  try {
    await unwrap(client.DELETE('/api/comments/{id}', { params: { path: { id } } }));
  } catch (error) {
    // Deleted already: nothing to do.
    if (!isNotFound(error)) throw error;
  }
}

/** DELETE /api/comments/{id}: removed from the list at once, restored on failure. */
export function useDeleteComment(postId: string, onFailed: (error: unknown) => void) {
  const queryClient = useQueryClient();
  const key = queryKeys.comments.ofPost(postId);
  return useMutation({
    mutationFn: deleteComment,
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: key });
      queryClient.setQueryData<CommentPages>(key, (pages) => changeComment(pages, id, () => undefined));
      changePost(queryClient, postId, (post) => withCommentCount(post, -1));
    },
    onError: (error) => {
      onFailed(error);
      changePost(queryClient, postId, (post) => withCommentCount(post, 1));
      return queryClient.invalidateQueries({ queryKey: key });
    },
  });
}
