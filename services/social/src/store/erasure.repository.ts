import { Injectable } from '@nestjs/common';
import { blockTopic, followTopic, reviewTopic } from '@pulso/contracts/topics/social';
import type { Topic } from '@pulso/contracts/topics/topic';
import { nextVersion } from '@pulso/platform/events/version';
import { type Statement, statement } from '@pulso/platform/postgres/statements';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Review } from './review.entity.js';

/** Rows that one transaction deletes: some tens of milliseconds. */
const ERASED_AT_ONCE = 500;

interface Ended {
  version: string;
}
type EndedFollow = Ended & { followerId: string; targetId: string };
type EndedBlock = Ended & { blockerId: string; blockedId: string };
type EndedReview = Ended & Pick<Review, 'coachId' | 'reviewerId' | 'id'> & { createdAt: Date };

/**
 * Deletes rows of the user $1 and returns them with the version of their end, $2 at least. One statement for each part of the rows, since
 * each part has an index. The order of the key lets two processes that erase the same user wait for each other.
 */
const deleting = <Row>(
  table: string,
  key: string,
  parts: readonly string[],
  columns: string,
): Statement<Row>[] =>
  parts.map((part) =>
    statement<Row>(
      `erasure.${table}: ${part}`,
      `DELETE FROM ${table} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE ${part} ORDER BY ${key} LIMIT ${ERASED_AT_ONCE} FOR UPDATE)
       RETURNING ${columns}, greatest(version + 1, $2::bigint) AS version`,
    ),
  );

const LIVE_AND_ENDED = ['deleted_at IS NULL', 'deleted_at IS NOT NULL'];

const FOLLOWS = deleting<EndedFollow>(
  'follows',
  'follower_id, target_id',
  ['follower_id = $1', ...LIVE_AND_ENDED.map((which) => `target_id = $1 AND ${which}`)],
  'follower_id AS "followerId", target_id AS "targetId"',
);
const BLOCKS = deleting<EndedBlock>(
  'blocks',
  'blocker_id, blocked_id',
  ['blocker_id = $1', 'blocked_id = $1'],
  'blocker_id AS "blockerId", blocked_id AS "blockedId"',
);
const REVIEWS = deleting<EndedReview>(
  'reviews',
  'coach_id, reviewer_id',
  ['coach_id = $1', ...LIVE_AND_ENDED.map((which) => `reviewer_id = $1 AND ${which}`)],
  'coach_id AS "coachId", reviewer_id AS "reviewerId", id, created_at AS "createdAt"',
);

/** What an erasure removes from social. What is deleted is told as ended; a republication then lacks it, which removes it elsewhere. */
@Injectable()
export class ErasureRepository {
  constructor(
    private readonly writes: Writes,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes some follows, blocks and reviews by and of the user, current and ended. Returns how many; none when there are no more. Each part is a
   * transaction of its own: what two users have of each other is one row of a part of either, so their erasures never wait in a circle.
   */
  async eraseSome(userId: string): Promise<number> {
    const updatedAt = this.clock.now();
    const counts = [
      await this.deleteFrom(FOLLOWS, userId, followTopic, (ended) => ({ ...ended, active: false })),
      await this.deleteFrom(BLOCKS, userId, blockTopic, (ended) => ({ ...ended, active: false })),
      await this.deleteFrom(REVIEWS, userId, reviewTopic, ({ createdAt, ...review }) => ({
        ...review,
        ...{ deleted: true, rating: 0, createdAt: createdAt.getTime(), updatedAt },
      })),
    ];
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** What the user wrote to moderators. That something was reported, and why, stays (ACCT-32). */
  async emptyNotes(userId: string, { manager }: Transaction): Promise<void> {
    await manager.query("UPDATE reports SET note = '' WHERE reporter_id = $1 AND note <> ''", [userId]);
  }

  private async deleteFrom<Row extends Ended, State>(
    parts: readonly Statement<Row>[],
    userId: string,
    topic: Topic<State>,
    toState: (ended: Omit<Row, 'version'> & { version: number }) => State,
  ): Promise<number> {
    let deleted = 0;
    for (const part of parts) {
      deleted += await this.writes.run(async (transaction) => {
        const rows = await transaction.rows(part, [userId, nextVersion(undefined, this.clock)]);
        const states = rows.map((row) => toState({ ...row, version: Number(row.version) }));
        await transaction.publishAll(topic, states);
        return rows.length;
      });
    }
    return deleted;
  }
}
