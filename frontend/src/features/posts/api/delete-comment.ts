import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { deletedOf, useDeletion, useDeletions } from '../../../components/feedback/deletions.js';
import { changeShownComment } from './comment-cache.js';
import { changePost, withCommentCount } from './post-cache.js';

interface Outcome {
  /** Says that it is deleted. */
  message: string;
  onFailed: (error: unknown) => void;
}

/** DELETE /api/comments/{id}, with Undo. */
export function useDeleteComment(postId: string, { message, onFailed }: Outcome): (id: string) => void {
  const queryClient = useQueryClient();
  const startDeletion = useDeletion();
  return (id) =>
    startDeletion({
      id,
      of: postId,
      message,
      selector: `[data-comment="${id}"]`,
      send: () => unwrap(client.DELETE('/api/comments/{id}', { params: { path: { id } }, keepalive: true })),
      onDeleted: () => {
        changeShownComment(queryClient, postId, id, () => undefined);
        changePost(queryClient, postId, (post) => withCommentCount(post, -1));
      },
      onFailed: (error) => {
        onFailed(error);
        void queryClient.invalidateQueries({ queryKey: queryKeys.comments.ofPost(postId) });
      },
    });
}

/** The post with the comments counted that are shown: without those whose deletion can still be taken back. */
export function useShownCount(post: Post): Post {
  const deleted = deletedOf(post.id, useDeletions());
  return deleted === 0 ? post : withCommentCount(post, -deleted);
}
