import { REFUSALS, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { Author, Comment } from '@pulso/contracts/posts/v1/posts';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText } from '@pulso/platform/text/text-rules';
import type { CommentDocument } from './comment.schema.js';

/** A comment's text, trimmed. Throws `validation-failed` on `content`. */
export function readComment(input: string): string {
  const { value, problem } = cleanText(input, TEXT_LIMITS.comment);
  if (problem) throw validationFailed([{ path: 'content', ...problem }]);
  if (value === '') {
    throw validationFailed([{ path: 'content', code: 'required', message: REFUSALS.emptyComment }]);
  }
  return value;
}

/** The response for a comment as its reader sees it (POST-22). */
export function viewComment(
  comment: Pick<CommentDocument, '_id' | 'postId' | 'content' | 'likeCount' | 'createdAt' | 'updatedAt'>,
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
  };
}
