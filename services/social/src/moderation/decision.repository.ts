import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { hiddenPostTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import { Clock } from '@pulso/platform/time/clock';

const TABLES = {
  post: { name: 'post_hidings', key: 'post_id' },
  user: { name: 'user_suspensions', key: 'user_id' },
} as const;

/** Moderators' decisions, published as events: posts applies those about posts, identity those about users. */
@Injectable()
export class DecisionRepository {
  constructor(private readonly clock: Clock) {}

  async setHidden(postId: string, hidden: boolean, by: string, transaction: Transaction): Promise<void> {
    const version = await this.decide('post', postId, hidden, by, transaction);
    await transaction.publish(hiddenPostTopic, { postId, hidden, version });
  }

  async setSuspended(
    userId: string,
    suspended: boolean,
    by: string,
    transaction: Transaction,
  ): Promise<void> {
    const version = await this.decide('user', userId, suspended, by, transaction);
    await transaction.publish(userSuspensionTopic, { userId, suspended, version });
  }

  /** A single statement, so that concurrent decisions get different versions. Returns the version. */
  private async decide(
    kind: keyof typeof TABLES,
    id: string,
    active: boolean,
    by: string,
    transaction: Transaction,
  ): Promise<number> {
    const { name, key } = TABLES[kind];
    const [row] = await transaction.manager.query<{ version: string }[]>(
      `INSERT INTO ${name} AS decision (${key}, active, decided_by, decided_at, version)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (${key}) DO UPDATE SET active = excluded.active, decided_by = excluded.decided_by,
         decided_at = excluded.decided_at, version = greatest(decision.version + 1, excluded.version)
       RETURNING version`,
      [id, active, by, new Date(this.clock.now()), nextVersion(undefined, this.clock)],
    );
    return Number(row!.version);
  }
}
