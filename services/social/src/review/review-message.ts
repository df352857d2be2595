import type { Review } from '@pulso/contracts/social/v1/social';
import type { ReviewRow } from '../store/review.repository.js';
import { toUserRef } from '../store/user-ref.js';

export function toReviewMessage(row: ReviewRow): Review {
  const { id, coachId, rating, comment, verifiedSubscriber } = row;
  return {
    id,
    coachId,
    rating,
    comment,
    verifiedSubscriber,
    reviewer: toUserRef(row.reviewerId, row),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
