import { Injectable } from '@nestjs/common';
import type { DeleteReviewRequest, DeleteReviewResponse } from '@pulso/contracts/social/v1/social';
import { reviewTopic } from '@pulso/contracts/topics/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { nextVersion } from '@pulso/platform/events/version';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { Clock } from '@pulso/platform/time/clock';
import { SUSPENDED_TOO } from '@pulso/platform/users/user-checks';
import { KnownUsers } from '../projections/known-users.js';
import { type Review, toReviewState } from '../store/review.entity.js';
import { ReviewRepository } from '../store/review.repository.js';

/**
 * `DELETE /api/coaches/{id}/reviews/mine`, idempotent (HTTP-10); possible even if the coach has since been suspended or
 * deleted, or is no longer a coach.
 */
@Injectable()
export class DeleteReview {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly reviews: ReviewRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId }: DeleteReviewRequest): Promise<DeleteReviewResponse> {
    const { userId: reviewerId } = requireCaller();
    await this.users.requireCallerAnd(reviewerId, coachId, { accepted: SUSPENDED_TOO });

    await this.pairs.run(coachId, reviewerId, async (transaction) => {
      const review = await this.reviews.find(coachId, reviewerId, transaction);
      if (!review) return;
      if (review.deletedAt !== null) {
        transaction.recordUnchanged(reviewTopic, toReviewState(review));
        return;
      }
      const now = this.clock.now();
      const stripped: Review = {
        ...review,
        rating: 0,
        comment: '',
        updatedAt: now,
        deletedAt: now,
        version: nextVersion(review.version, this.clock),
      };
      await this.reviews.save(stripped, transaction);
    });
    return {};
  }
}
