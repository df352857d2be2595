import { Injectable } from '@nestjs/common';
import { hiddenCommentTopic, hiddenPostTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import type { DecidedType, Grounds, Outcome } from './decision.js';
import { LoggedDecision } from './logged-decision.entity.js';
import type { Report } from './report.entity.js';

const KINDS = {
  post: { table: 'post_hidings', key: 'post_id', taken: 'hidden', revoked: 'shown' },
  comment: { table: 'comment_hidings', key: 'comment_id', taken: 'hidden', revoked: 'shown' },
  user: { table: 'user_suspensions', key: 'user_id', taken: 'suspended', revoked: 'reinstated' },
} as const;

type Subject = Pick<Report, 'subjectType' | 'subjectId'>;

/**
 * Moderators' decisions. Each is published as the state of its subject (posts applies those about posts and comments,
 * identity those about users) and recorded for other moderators.
 */
@Injectable()
export class DecisionRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Hides or suspends the subject; with `active` false it takes that back. */
  async decide(
    type: DecidedType,
    id: string,
    active: boolean,
    grounds: Grounds,
    transaction: Transaction,
  ): Promise<void> {
    const { reason } = grounds;
    const decidedAt = this.clock.now();
    const version = await this.store(type, id, active, grounds, decidedAt, transaction);
    if (type === 'post') {
      const state = { postId: id, hidden: active, version, reason, decidedAt };
      await transaction.publish(hiddenPostTopic, state);
    } else if (type === 'comment') {
      const state = { commentId: id, hidden: active, version, reason, decidedAt };
      await transaction.publish(hiddenCommentTopic, state);
    } else {
      const state = { userId: id, suspended: active, version, reason, decidedAt };
      await transaction.publish(userSuspensionTopic, state);
    }
    const { taken, revoked } = KINDS[type];
    const subject = { subjectType: type, subjectId: id };
    await this.record(subject, active ? taken : revoked, grounds, decidedAt, transaction);
  }

  /** Records a decision that changes nothing on its subject. */
  dismiss(subject: Subject, grounds: Grounds, transaction: Transaction): Promise<void> {
    return this.record(subject, 'dismissed', grounds, this.clock.now(), transaction);
  }

  /** Records that all reports of a user were dismissed. */
  dismissReportsOf(userId: string, grounds: Grounds, transaction: Transaction): Promise<void> {
    const subject = { subjectType: 'user', subjectId: userId } as const;
    return this.record(subject, 'reports-dismissed', grounds, this.clock.now(), transaction);
  }

  /** Newest first; with `subjectId` those about this subject. */
  list({ subjectId, limit }: { subjectId?: string; limit: number }): Promise<LoggedDecision[]> {
    return this.dataSource.getRepository(LoggedDecision).find({
      where: subjectId === undefined ? {} : { subjectId },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** A single statement, so that concurrent decisions get different versions. Returns the version. */
  private async store(
    type: DecidedType,
    id: string,
    active: boolean,
    { by, reason }: Grounds,
    decidedAt: number,
    { manager }: Transaction,
  ): Promise<number> {
    const { table, key } = KINDS[type];
    const [row] = await manager.query<{ version: string }[]>(
      `INSERT INTO ${table} AS decision (${key}, active, reason, decided_by, decided_at, version)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (${key}) DO UPDATE SET active = excluded.active, reason = excluded.reason,
         decided_by = excluded.decided_by, decided_at = excluded.decided_at,
         version = greatest(decision.version + 1, excluded.version)
       RETURNING version`,
      [id, active, reason, by, new Date(decidedAt), nextVersion(undefined, this.clock)],
    );
    return Number(row!.version);
  }

  private async record(
    { subjectType, subjectId }: Subject,
    outcome: Outcome,
    { by, reason, note }: Grounds,
    decidedAt: number,
    { manager }: Transaction,
  ): Promise<void> {
    const id = newIdAt(decidedAt);
    const row = { id, subjectType, subjectId, outcome, reason, note, decidedBy: by, decidedAt };
    await manager.getRepository(LoggedDecision).insert(row);
  }
}
