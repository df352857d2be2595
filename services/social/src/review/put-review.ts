import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PutReviewResponse, type PutReviewRequest } from '@pulso/contracts/social/v1/social';
import { requireCaller } from '@pulso/platform/context/request-context';
import { reviewTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Clock } from '@pulso/platform/time/clock';
import { blocked } from '../block/block-errors.js';
import { BlockRepository } from '../block/block.repository.js';
import { PairTransactions } from '../database/pair-transactions.js';
import { type AnswerCodec, IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { KnownUsers, userNotFound } from '../projection/known-users.js';
import { CLOCK } from '../tokens.js';
import { WriteMarks } from '../write-marks.js';
import { cannotReviewSelf, notACoach } from './review-errors.js';
import { toReviewMessage } from './review-message.js';
import { type Review, toReviewState } from './review.entity.js';
import { ReviewRepository } from './review.repository.js';
import { readReview } from './review.js';

interface Words {
  rating: number;
  comment: string;
}

/**
 * `PUT /api/coaches/{id}/reviews/mine`: the caller's one review of a coach (decisions 17). Throws `validation-failed`,
 * `not-found`, `blocked`, then `cannot-review-self`, `not-a-coach`.
 */
@Injectable()
export class PutReview {
  constructor(
    private readonly users: KnownUsers,
    private readonly pairs: PairTransactions,
    private readonly blocks: BlockRepository,
    private readonly reviews: ReviewRepository,
    private readonly idempotent: IdempotentWrites,
    private readonly marks: WriteMarks,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ coachId, idempotency, ...input }: PutReviewRequest): Promise<PutReviewResponse> {
    const { userId: reviewerId } = requireCaller();
    const words = readReview(input);
    const coach = await this.users.requireCallerAnd(reviewerId, coachId);
    if (coachId === reviewerId) throw cannotReviewSelf();
    await this.checkBlocks(reviewerId, coachId);
    if (!coach.isCoach) throw notACoach();

    const once = { request: idempotency, callerId: reviewerId, codec: withoutComment(words.comment) };
    const { answer, saved } = await this.pairs.run(coachId, reviewerId, async (transaction) => {
      let review: Review | undefined;
      const put = async () => {
        const written = await this.write(coachId, reviewerId, words, transaction);
        review = written.review;
        const shown = await this.reviews.findShown(coachId, reviewerId, transaction);
        return { review: toReviewMessage(shown!), created: written.created };
      };
      return { answer: await this.idempotent.once(once, transaction, put), saved: review };
    });
    if (saved) this.marks.note(reviewTopic, toReviewState(saved));
    return answer;
  }

  private async checkBlocks(reviewerId: string, coachId: string): Promise<void> {
    const between = await this.blocks.between(reviewerId, coachId);
    if (between.blockedBy) throw userNotFound();
    if (between.blocked) throw blocked();
  }

  private async write(coachId: string, reviewerId: string, words: Words, transaction: EntityManager) {
    const previous = await this.reviews.find(coachId, reviewerId, transaction);
    const standing = previous?.deletedAt === null ? previous : undefined;
    const now = this.clock.now();
    const review: Review = {
      coachId,
      reviewerId,
      ...words,
      id: standing?.id ?? newIdAt(now),
      createdAt: standing?.createdAt ?? now,
      updatedAt: now,
      deletedAt: null,
      version: nextVersion(previous?.version, this.clock),
    };
    await this.reviews.save(review, transaction);
    return { review, created: standing === undefined };
  }
}

/** The comment comes with every repetition; kept with the key it would outlive a deleted review. */
function withoutComment(comment: string): AnswerCodec<PutReviewResponse> {
  const say = (answer: PutReviewResponse, text: string) => {
    return { ...answer, review: answer.review && { ...answer.review, comment: text } };
  };
  return {
    encode: (answer) => PutReviewResponse.encode(say(answer, '')).finish(),
    decode: (bytes) => say(PutReviewResponse.decode(bytes), comment),
  };
}
