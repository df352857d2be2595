import { Inject, Injectable } from '@nestjs/common';
import { requireCaller } from '@pulso/platform/context/request-context';
import { reviewTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import { PairTransactions } from '../database/pair-transactions.js';
import { KnownUsers } from '../projection/known-users.js';
import { CLOCK } from '../tokens.js';
import { WriteMarks } from '../write-marks.js';
import { type Review, toReviewState } from './review.entity.js';
import { ReviewRepository } from './review.repository.js';

/** `DELETE /api/coaches/{id}/reviews/mine`, idempotent; possible whatever has become of the coach since. */
@Injectable()
export class DeleteReview {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairTransactions,
    private readonly reviews: ReviewRepository,
    private readonly marks: WriteMarks,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(coachId: string): Promise<void> {
    const { userId: reviewerId } = requireCaller();
    await this.users.requireCallerAnd(reviewerId, coachId, 'suspended-too');

    const deleted = await this.pairs.run(coachId, reviewerId, async (transaction) => {
      const review = await this.reviews.find(coachId, reviewerId, transaction);
      if (!review || review.deletedAt !== null) return review;
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
      return stripped;
    });
    if (deleted) this.marks.note(reviewTopic, toReviewState(deleted));
  }
}
