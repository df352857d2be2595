import { useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../api/client.js';
import { useIdempotencyKey } from '../../../api/idempotency.js';
import type { Me } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { appendComment, changeComment, commentsKey } from './comment-cache.js';
import type { CommentPages, ShownComment } from './comment-cache.js';
import { changePost, withCommentCount } from './post-cache.js';

function pendingComment(
  postId: string,
  content: string,
  { id, name, username, profileImage, isCoach }: Me,
): ShownComment {
  const now = new Date().toISOString();
  return {
    id: `pending-${now}`,
    postId,
    author: { id, name, username, profileImage, isCoach },
    content,
    likeCount: 0,
    likedByViewer: false,
    createdAt: now,
    updatedAt: now,
    pending: true,
  };
}

/** POST /api/posts/{id}/comments: shown at once, taken back on failure. */
export function useAddComment(
  postId: string,
  viewer: Me,
  onFailed: (error: unknown, content: string) => void,
) {
  const queryClient = useQueryClient();
  const idempotency = useIdempotencyKey();
  const update = (change: (pages: CommentPages | undefined) => CommentPages | undefined) =>
    queryClient.setQueryData<CommentPages>(commentsKey(postId), change);

  return useSingleMutation({
    mutationFn: (content: string) =>
      unwrap(
        client.POST('/api/posts/{id}/comments', {
          params: { path: { id: postId }, header: { 'Idempotency-Key': idempotency.keyFor(content) } },
          body: { content },
        }),
      ),
    onMutate: async (content) => {
      await queryClient.cancelQueries({ queryKey: commentsKey(postId) });
      const pending = pendingComment(postId, content, viewer);
      update((pages) => appendComment(pages, pending));
      changePost(queryClient, postId, (post) => withCommentCount(post, 1));
      return pending;
    },
    onSuccess: (comment, _content, pending) => {
      idempotency.done();
      update((pages) => changeComment(pages, pending.id, () => comment));
    },
    onError: (error, content, pending) => {
      onFailed(error, content);
      if (!pending) return;
      update((pages) => changeComment(pages, pending.id, () => undefined));
      changePost(queryClient, postId, (post) => withCommentCount(post, -1));
    },
  });
}
