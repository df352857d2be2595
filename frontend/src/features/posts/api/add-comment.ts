import { useQueryClient } from '@tanstack/react-query';
import { SessionOverError, isNotFound } from '../../../server/http/api-error.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Me } from '../../../api/types.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { succeeded } from '../../../components/feedback/feedback-store.js';
import { client, unwrap } from '../../../server/client/client.js';
import { keepDraft } from '../../../drafts/drafts.js';
import { commentKeys } from '../drafts.js';
import { changeShownComment, showComment } from './comment-cache.js';
import type { ShownComment } from './comment-cache.js';
import { changePost, dropPost, withCommentCount } from './post-cache.js';

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

/** The act of notices. */
export const commentAct = (postId: string) => `comment:${postId}`;

/**
 * POST /api/posts/{id}/comments: shown at once, removed on failure (POST-24). A post that no longer exists is removed from the
 * lists (POST-25).
 */
export function useAddComment(
  postId: string,
  viewer: Me,
  onFailed: (error: unknown, content: string) => void,
) {
  const queryClient = useQueryClient();
  const keys = commentKeys(viewer.id, postId);
  const listKey = queryKeys.comments.ofPost(postId);

  return useSingleMutation({
    mutationFn: (content: string) =>
      unwrap(
        client.POST('/api/posts/{id}/comments', {
          params: { path: { id: postId }, header: { 'Idempotency-Key': keys.keyFor(content) } },
          body: { content },
        }),
      ),
    onMutate: async (content) => {
      const pending = pendingComment(postId, content, viewer);
      // Until the answer arrives, closing the page can lose the comment.
      keepDraft(viewer.id, pending.id, content, { stored: false });
      // A list that has not loaded yet goes on loading.
      if (queryClient.getQueryData(listKey)) await queryClient.cancelQueries({ queryKey: listKey });
      showComment(queryClient, postId, pending);
      changePost(queryClient, postId, (post) => withCommentCount(post, 1));
      return pending;
    },
    onSuccess: (comment, _content, pending) => {
      keys.done();
      succeeded(commentAct(postId));
      changeShownComment(queryClient, postId, pending.id, () => comment);
    },
    onError: (error, content, pending) => {
      onFailed(error, content);
      // After the end of the session the lists belong to another viewer.
      if (!pending || error instanceof SessionOverError) return;
      changeShownComment(queryClient, postId, pending.id, () => undefined);
      if (isNotFound(error)) return dropPost(queryClient, postId);
      changePost(queryClient, postId, (post) => withCommentCount(post, -1));
    },
    onSettled: (_comment, _error, _content, pending) => {
      if (pending) keepDraft(viewer.id, pending.id, undefined);
    },
  });
}
