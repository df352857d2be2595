import { useMutation, useQueryClient } from '@tanstack/react-query';
import { succeeded } from '../../../components/feedback/feedback-store.js';
import { client, unwrap } from '../../../server/client/client.js';
import { changeShownComment } from './comment-cache.js';
import type { ShownComment } from './comment-cache.js';
import { withLike } from './post-cache.js';

/** The act of notices. */
export const likeCommentAct = (id: string) => `like-comment:${id}`;

/** PUT and DELETE /api/comments/{id}/like; works as useLikePost does. */
export function useLikeComment(postId: string, id: string, onFailed: (error: unknown) => void) {
  const queryClient = useQueryClient();
  const mutationKey = ['like-comment', id];
  const update = (change: (comment: ShownComment) => ShownComment) =>
    changeShownComment(queryClient, postId, id, change);
  return useMutation({
    mutationKey,
    scope: { id: `like-comment-${id}` },
    mutationFn: (liked: boolean) => {
      const target = { params: { path: { id } } };
      return unwrap(
        liked
          ? client.PUT('/api/comments/{id}/like', target)
          : client.DELETE('/api/comments/{id}/like', target),
      );
    },
    onMutate: (liked) => {
      update((comment) => withLike(comment, liked));
    },
    onSuccess: ({ liked, likeCount }) => {
      succeeded(likeCommentAct(id));
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      update((comment) => ({ ...comment, likedByViewer: liked, likeCount }));
    },
    onError: (error, liked) => {
      update((comment) => withLike(comment, !liked));
      onFailed(error);
    },
  });
}
