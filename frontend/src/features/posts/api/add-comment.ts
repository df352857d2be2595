import { useQueryClient } from '@tanstack/react-query';
import { SessionOverError } from '../../../api/api-error.js';
import { idempotencyKeys } from '../../../api/idempotency.js';
import type { IdempotencyKeys } from '../../../api/idempotency.js';
import { queryKeys } from '../../../api/query-keys.js';
import type { Me } from '../../../api/types.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import { client, unwrap } from '../../../client/client.js';
import { keepDraft } from '../../../session/drafts.js';
import { appendComment, changeComment } from './comment-cache.js';
import type { CommentPages, ShownComment } from './comment-cache.js';
import { changePost, withCommentCount } from './post-cache.js';

/** By post. They outlive the page, as drafts do: a comment that failed and is sent again must not be stored twice. */
const keys = new Map<string, IdempotencyKeys>();

function keysFor(postId: string): IdempotencyKeys {
  const own = keys.get(postId) ?? idempotencyKeys();
  keys.set(postId, own);
  return own;
}

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

/** POST /api/posts/{id}/comments: shown at once, removed on failure. */
export function useAddComment(
  postId: string,
  viewer: Me,
  onFailed: (error: unknown, content: string) => void,
) {
  const queryClient = useQueryClient();
  const update = (change: (pages: CommentPages | undefined) => CommentPages | undefined) =>
    queryClient.setQueryData<CommentPages>(queryKeys.comments.ofPost(postId), change);

  return useSingleMutation({
    mutationFn: (content: string) =>
      unwrap(
        client.POST('/api/posts/{id}/comments', {
          params: { path: { id: postId }, header: { 'Idempotency-Key': keysFor(postId).keyFor(content) } },
          body: { content },
        }),
      ),
    onMutate: async (content) => {
      const pending = pendingComment(postId, content, viewer);
      // Until the answer arrives, closing the page can lose the comment.
      keepDraft(viewer.id, pending.id, content);
      await queryClient.cancelQueries({ queryKey: queryKeys.comments.ofPost(postId) });
      update((pages) => appendComment(pages, pending));
      changePost(queryClient, postId, (post) => withCommentCount(post, 1));
      return pending;
    },
    onSuccess: (comment, _content, pending) => {
      keys.delete(postId);
      update((pages) => changeComment(pages, pending.id, () => comment));
    },
    onError: (error, content, pending) => {
      onFailed(error, content);
      // After the end of the session the lists belong to another viewer.
      if (!pending || error instanceof SessionOverError) return;
      update((pages) => changeComment(pages, pending.id, () => undefined));
      changePost(queryClient, postId, (post) => withCommentCount(post, -1));
    },
    onSettled: (_comment, _error, _content, pending) => {
      if (pending) keepDraft(viewer.id, pending.id, undefined);
    },
  });
}
