import { PutReviewResponse } from '@pulso/contracts/social/v1/social';
import { type AnswerCodec, storedAnswer, type StoredFields } from '@pulso/platform/idempotency/answer-codec';

const STORED_REVIEW: StoredFields<PutReviewResponse> = {
  review: {
    id: 'kept',
    coachId: 'kept',
    reviewer: { id: 'kept', name: 'kept', username: 'kept', profileImageId: 'kept', isCoach: 'kept' },
    verifiedSubscriber: 'kept',
    rating: 'kept',
    comment: 'left-out',
    createdAt: 'kept',
    updatedAt: 'kept',
  },
  created: 'kept',
};

/** A review as stored under its Idempotency-Key; each repetition contains its comment again. */
export function storedReview(comment: string): AnswerCodec<PutReviewResponse> {
  return storedAnswer(PutReviewResponse, STORED_REVIEW, ({ review, ...stored }) => ({
    ...stored,
    review: review && { ...review, comment },
  }));
}
