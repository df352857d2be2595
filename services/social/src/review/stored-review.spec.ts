import { UserRef } from '@pulso/contracts/common/v1/common';
import { PutReviewResponse, Review } from '@pulso/contracts/social/v1/social';
import { everyField } from '@pulso/platform/testing/every-field';
import { storedReview } from './stored-review.js';

// Rule: HTTP-13
it('stores a review without its comment and its reviewer’s name', async () => {
  const kept = {
    id: 'review',
    coachId: 'carla',
    reviewer: everyField(UserRef, {
      id: 'ana',
      name: 'Ana',
      username: 'ana',
      profileImageId: 'picture',
      isCoach: true,
    }),
    verifiedSubscriber: true,
    rating: 4,
    createdAt: 1_000,
    updatedAt: 2_000,
  };
  const review = everyField(Review, { ...kept, comment: 'Written' });
  const answer = everyField(PutReviewResponse, { review, created: true });
  const codec = storedReview('Written', () => Promise.resolve(kept.reviewer));
  const bytes = codec.encode(answer);
  expect(PutReviewResponse.decode(bytes)).toEqual({
    ...answer,
    review: { ...kept, reviewer: undefined, comment: '' },
  });
  expect(await codec.decode(bytes)).toEqual(answer);
});
