import type { UserRef } from '@pulso/contracts/common/v1/common';
import { PutReviewResponse } from '@pulso/contracts/social/v1/social';
import { type AnswerCodec, storedAnswer, type StoredFields } from '@pulso/platform/idempotency/answer-codec';

const STORED_REVIEW: StoredFields<PutReviewResponse> = {
  review: {
    id: 'kept',
    coachId: 'kept',
    reviewer: 'left-out',
    verifiedSubscriber: 'kept',
    rating: 'kept',
    comment: 'left-out',
    createdAt: 'kept',
    updatedAt: 'kept',
  },
  created: 'kept',
};

/** A review as stored under its Idempotency-Key; each repetition contains its comment again. */
export function storedReview(
  comment: string,
  reviewer: () => Promise<UserRef>,
): AnswerCodec<PutReviewResponse> {
  return storedAnswer(PutReviewResponse, STORED_REVIEW, async ({ review, ...stored }) => ({
    ...stored,
    review: review && { ...review, reviewer: await reviewer(), comment },
  }));
}
