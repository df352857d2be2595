import type { Author, Comment } from '@pulso/contracts/posts/v1/posts';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { type TextRule, cleanText } from '@pulso/platform/text/text-rules';
import type { CommentDocument } from './comment.schema.js';

const COMMENT_TEXT: TextRule = { max: 2000, multiline: true, joiners: true };

/** A comment's text, trimmed. Throws `validation-failed` on `content`. */
export function readComment(input: string): string {
  const { value, problem } = cleanText(input, COMMENT_TEXT);
  if (problem) throw validationFailed([{ path: 'content', ...problem }]);
  if (value === '') {
    throw validationFailed([{ path: 'content', code: 'required', message: 'Please write a comment.' }]);
  }
  return value;
}

/** A comment as its reader sees it (http-api.md, Shapes). */
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
