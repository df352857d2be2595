import { Injectable } from '@nestjs/common';
import { reviewTopic } from '@pulso/contracts/topics/social';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { DataSource, type EntityManager } from 'typeorm';
import type { ListedRow } from './fill-list.js';
import { isShown } from './hidden-users.js';
import { Review, toReviewState } from './review.entity.js';
import { type UserRefRow, userRefColumns } from './user-ref.js';

/** A review with its writer, as lists show it. */
export interface ReviewRow extends UserRefRow {
  id: string;
  coachId: string;
  reviewerId: string;
  rating: number;
  comment: string;
  createdAt: Date;
  updatedAt: Date;
  verifiedSubscriber: boolean;
}

const REVIEW_COLUMNS = `
  r.id, r.coach_id AS "coachId", r.reviewer_id AS "reviewerId", r.rating, r.comment,
    r.created_at AS "createdAt", r.updated_at AS "updatedAt", ${userRefColumns('u')},
    EXISTS (SELECT FROM known_subscriptions s
            WHERE s.user_id = r.reviewer_id AND s.coach_id = r.coach_id AND s.ever_active) AS "verifiedSubscriber"`;

@Injectable()
export class ReviewRepository {
  constructor(private readonly dataSource: DataSource) {}

  find(coachId: string, reviewerId: string, transaction: Transaction): Promise<Review | null> {
    return transaction.manager.getRepository(Review).findOneBy({ coachId, reviewerId });
  }

  /** Writes the review and publishes it. Requires the pair's lock. */
  async save(review: Review, transaction: Transaction): Promise<void> {
    await transaction.manager.getRepository(Review).upsert(review, ['coachId', 'reviewerId']);
    await transaction.publish(reviewTopic, toReviewState(review));
  }

  /** Lets the reviewer's next request see the review as it is. */
  async recordUnchanged(coachId: string, reviewerId: string, transaction: Transaction): Promise<void> {
    const review = await this.find(coachId, reviewerId, transaction);
    if (review) transaction.recordUnchanged(reviewTopic, toReviewState(review));
  }

  /** A member's review in the form for lists; undefined when there is none. */
  async findShown(
    coachId: string,
    reviewerId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ReviewRow | undefined> {
    const [row] = await manager.query<ReviewRow[]>(
      `SELECT ${REVIEW_COLUMNS} FROM reviews r LEFT JOIN known_users u ON u.id = r.reviewer_id
       WHERE r.coach_id = $1 AND r.reviewer_id = $2 AND r.deleted_at IS NULL`,
      [coachId, reviewerId],
    );
    return row;
  }

  /** Newest first. Reviews whose writer is gone, or separated from the viewer by a block, are not `shown`. */
  list(coachId: string, viewerId: string | null, slice: Slice): Promise<(ReviewRow & ListedRow)[]> {
    return this.dataSource.query<(ReviewRow & ListedRow)[]>(
      `SELECT ${REVIEW_COLUMNS}, ${isShown('r.reviewer_id', '$4')} AS shown
       FROM (
         SELECT * FROM reviews
         WHERE coach_id = $1 AND deleted_at IS NULL AND (created_at, id) < ($2, $3::uuid)
         ORDER BY created_at DESC, id DESC LIMIT $5
       ) r LEFT JOIN known_users u ON u.id = r.reviewer_id
       ORDER BY r.created_at DESC, r.id DESC`,
      [coachId, ...afterParameters(slice), viewerId, slice.limit],
    );
  }
}
