import type { Author, Comment } from '@pulso/contracts/posts/v1/posts';
import type { CommentDocument } from '../store/comment.schema.js';

/** The response for a comment as its reader sees it (POST-22). */
export function viewComment(
  comment: Pick<
    CommentDocument,
    '_id' | 'postId' | 'content' | 'likeCount' | 'createdAt' | 'updatedAt' | 'importedAt'
  >,
  author: Author,
  likedByViewer: boolean,
): Comment {
  return {
    id: comment._id,
    postId: comment.postId,
    author,
    content: comment.content,
    likeCount: comment.likeCount,
    likedByViewer,
    createdAt: comment.createdAt.getTime(),
    updatedAt: comment.updatedAt.getTime(),
    importedAt: comment.importedAt?.getTime(),
  };
}
