import { VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import type { AddCommentRequest } from '@pulso/contracts/posts/v1/posts';
import { FieldProblems } from '@pulso/platform/validation/field-problems';
import type { CommentDocument } from './comment.schema.js';

/** The fields that the author of a comment writes. */
export type CommentDraft = Pick<CommentDocument, 'content'>;

/** A new comment as its author wants it. Throws `validation-failed`. */
export function readNewComment(request: AddCommentRequest): CommentDraft {
  const problems = new FieldProblems();
  const draft = readComment(request, problems);
  problems.check();
  return draft;
}

/** The same, where the problems of a longer request are told together. */
export function readComment(request: CommentDraft, problems: FieldProblems): CommentDraft {
  const content = problems.text('content', request.content, TEXT_LIMITS.comment);
  if (content === '') problems.add('content', 'required', VALIDATION_MESSAGES.emptyComment);
  return { content };
}
