import type {
  Review as ReviewMessage,
  ReviewPage as ReviewPageMessage,
} from '@pulso/contracts/social/v1/social';
import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import { required, toUserRef } from '../user-ref/to-user-ref.js';
import type { Review, ReviewPage } from './review.dto.js';

export function toReview(review: ReviewMessage): Review {
  const reviewer = toUserRef(required(review.reviewer, 'reviewer'));
  return {
    id: review.id,
    coachId: review.coachId,
    reviewer,
    reviewerName: reviewer.name,
    reviewerImage: reviewer.profileImage,
    verifiedSubscriber: review.verifiedSubscriber,
    rating: review.rating,
    comment: review.comment,
    createdAt: apiTime(review.createdAt),
    updatedAt: apiTime(review.updatedAt),
  };
}

export function toReviewPage({ items, nextCursor, summary, mine }: ReviewPageMessage): ReviewPage {
  return {
    items: items.map(toReview),
    nextCursor: apiCursor(nextCursor),
    summary: required(summary, 'summary'),
    mine: mine ? toReview(mine) : null,
  };
}
