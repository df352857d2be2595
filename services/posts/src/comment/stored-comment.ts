import { type Author, Comment } from '@pulso/contracts/posts/v1/posts';
import { type AnswerCodec, storedAnswer, type StoredFields } from '@pulso/platform/idempotency/answer-codec';
import type { CommentDraft } from '../store/comment.js';

const STORED_COMMENT: StoredFields<Comment> = {
  id: 'kept',
  postId: 'kept',
  author: 'left-out',
  content: 'left-out',
  likeCount: 'kept',
  likedByViewer: 'kept',
  createdAt: 'kept',
  updatedAt: 'kept',
  importedAt: 'kept',
};

/** A new comment as stored under its Idempotency-Key; each repetition contains its text again. */
export function storedComment(draft: CommentDraft, author: () => Promise<Author>): AnswerCodec<Comment> {
  return storedAnswer(Comment, STORED_COMMENT, async (stored) => ({
    ...stored,
    author: await author(),
    ...draft,
  }));
}
