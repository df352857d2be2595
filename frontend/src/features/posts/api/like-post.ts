import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isNotFound } from '../../../server/http/api-error.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { succeeded } from '../../../components/feedback/feedback-store.js';
import { client, unwrap } from '../../../server/client/client.js';
import { changePost, dropPost, withLike } from './post-cache.js';

/** The act of notices, and what is done after a login. */
export const likePostAct = (id: string) => `like-post:${id}`;

/**
 * PUT and DELETE /api/posts/{id}/like, shown at once and undone on failure. Toggles of one post are sent one after the
 * other (`scope`), and only the last answer's count is used (POST-20). A post that no longer exists is removed from the lists.
 */
export function useLikePost(id: string, onFailed: (error: unknown) => void) {
  const queryClient = useQueryClient();
  const mutationKey = ['like-post', id];
  return useMutation({
    mutationKey,
    scope: { id: `like-post-${id}` },
    mutationFn: (liked: boolean) => {
      const target = { params: { path: { id } } };
      return unwrap(
        liked ? client.PUT('/api/posts/{id}/like', target) : client.DELETE('/api/posts/{id}/like', target),
      );
    },
    onMutate: (liked) => changePost(queryClient, id, (post) => withLike(post, liked)),
    onSuccess: ({ liked, likeCount }) => {
      succeeded(likePostAct(id));
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      changePost(queryClient, id, (post) => ({ ...post, likedByViewer: liked, likeCount }));
      void queryClient.invalidateQueries({ queryKey: queryKeys.likes.ofPost(id) });
    },
    onError: (error, liked) => {
      if (isNotFound(error)) dropPost(queryClient, id);
      else changePost(queryClient, id, (post) => withLike(post, !liked));
      onFailed(error);
    },
  });
}
