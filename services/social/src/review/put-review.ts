import { Injectable } from '@nestjs/common';
import type { PutReviewRequest, PutReviewResponse } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { blocked, userNotFound } from '@pulso/platform/errors/user-errors';
import { nextVersion } from '@pulso/platform/events/version';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { IdempotentWrites } from '@pulso/platform/postgres/idempotent-writes';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { KnownUsers } from '../projections/known-users.js';
import { BlocksBetween } from '../store/blocks-between.js';
import type { Review } from '../store/review.entity.js';
import { ReviewRepository } from '../store/review.repository.js';
import { readReview } from './read-review.js';
import { cannotReviewSelf, notACoach } from './review-errors.js';
import { toReviewMessage } from './review-message.js';
import { storedReview } from './stored-review.js';

interface Words {
  rating: number;
  comment: string;
}

/**
 * `PUT /api/coaches/{id}/reviews/mine`: the caller's one review of a coach (PEOPLE-28). Throws `validation-failed`,
 * `not-found`, `blocked`, then `cannot-review-self`, `not-a-coach`.
 */
@Injectable()
export class PutReview {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairWrites,
    private readonly blocks: BlocksBetween,
    private readonly reviews: ReviewRepository,
    private readonly idempotent: IdempotentWrites,
    private readonly clock: Clock,
  ) {}

  async execute({ coachId, idempotency, ...input }: PutReviewRequest): Promise<PutReviewResponse> {
    const { userId: reviewerId } = requireCaller();
    const words = readReview(input);
    const coach = await this.users.requireCallerAnd(reviewerId, coachId);
    if (coachId === reviewerId) throw cannotReviewSelf();

    return this.pairs.run(coachId, reviewerId, async (transaction) => {
      await this.checkBlocks(reviewerId, coachId, transaction);
      if (!coach.isCoach) throw notACoach();
      const codec = storedReview(words.comment, () => this.users.shown(reviewerId, transaction));
      const onKnown = () => this.reviews.recordUnchanged(coachId, reviewerId, transaction);
      const once = { request: idempotency, callerId: reviewerId, codec, onKnown };
      return this.idempotent.once(once, transaction, async () => {
        const created = await this.write(coachId, reviewerId, words, transaction);
        const shown = await this.reviews.findShown(coachId, reviewerId, transaction.manager);
        return { review: toReviewMessage(shown!), created };
      });
    });
  }

  /** Under the pair's lock: a review must not be committed after the block that forbids it. */
  private async checkBlocks(reviewerId: string, coachId: string, transaction: Transaction): Promise<void> {
    const between = await this.blocks.read(reviewerId, coachId, transaction);
    if (between.blockedBy) throw userNotFound();
    if (between.blocked) throw blocked();
  }

  /** Returns whether the review is new. */
  private async write(
    coachId: string,
    reviewerId: string,
    words: Words,
    transaction: Transaction,
  ): Promise<boolean> {
    const previous = await this.reviews.find(coachId, reviewerId, transaction);
    const current = previous?.deletedAt === null ? previous : undefined;
    const now = this.clock.now();
    const review: Review = {
      coachId,
      reviewerId,
      ...words,
      id: current?.id ?? newIdAt(now),
      createdAt: current?.createdAt ?? now,
      updatedAt: now,
      deletedAt: null,
      version: nextVersion(previous?.version, this.clock),
    };
    await this.reviews.save(review, transaction);
    return current === undefined;
  }
}
