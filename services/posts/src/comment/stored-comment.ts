import { Comment } from '@pulso/contracts/posts/v1/posts';
import { type AnswerCodec, storedAnswer, type StoredFields } from '@pulso/platform/idempotency/answer-codec';
import { STORED_AUTHOR } from '../post/stored-post.js';
import type { CommentDraft } from '../store/comment.js';

const STORED_COMMENT: StoredFields<Comment> = {
  id: 'kept',
  postId: 'kept',
  author: STORED_AUTHOR,
  content: 'left-out',
  likeCount: 'kept',
  likedByViewer: 'kept',
  createdAt: 'kept',
  updatedAt: 'kept',
  importedAt: 'kept',
};

/** A new comment as stored under its Idempotency-Key; each repetition contains its text again. */
export function storedComment(draft: CommentDraft): AnswerCodec<Comment> {
  return storedAnswer(Comment, STORED_COMMENT, (stored) => ({ ...stored, ...draft }));
}
