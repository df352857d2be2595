import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { stageEvent } from '@pulso/platform/events/postgres-outbox';
import { userTopic } from '@pulso/contracts/topics/identity';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import type { User, UserStatus } from '../account/user.entity.js';
import { UserRepository } from '../account/user.repository.js';
import { DATA_SOURCE } from '../database/data-source.js';
import { toUserState } from '../profile/user-state.js';
import { SessionRepository } from '../session/session.repository.js';
import { CLOCK } from '../tokens.js';

/**
 * A moderator's decision about an account, from pulso.social.user-suspension.v1: the account is suspended and every
 * session of it ended, or it is active again. Idempotent by version, in any order and under races.
 */
@Injectable()
export class ApplySuspension {
  constructor(
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute(decision: UserSuspensionState): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      if (!(await this.remember(decision, transaction))) return;
      const user = await this.users.lockById(decision.userId, transaction);
      // Those who deleted their account stay deleted.
      if (!user || user.status === 'deleted') return;
      await this.become(user, decision.suspended ? 'suspended' : 'active', transaction);
    });
  }

  /** The version held of the decision about a user. */
  async versionOf(userId: string): Promise<number | undefined> {
    const [row] = await this.dataSource.query<{ version: string }[]>(
      'SELECT version FROM known_suspensions WHERE user_id = $1',
      [userId],
    );
    return row && Number(row.version);
  }

  /** False when this decision or a later one has been applied before. */
  private async remember(decision: UserSuspensionState, transaction: EntityManager): Promise<boolean> {
    const rows = await transaction.query<unknown[]>(
      `INSERT INTO known_suspensions AS known (user_id, suspended, version) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET suspended = excluded.suspended, version = excluded.version
       WHERE known.version < excluded.version
       RETURNING user_id`,
      [decision.userId, decision.suspended, decision.version],
    );
    return rows.length > 0;
  }

  private async become(user: User, status: UserStatus, transaction: EntityManager): Promise<void> {
    const now = this.clock.now();
    if (status === 'suspended') await this.sessions.endAll(user.id, 'suspended', now, transaction);
    if (user.status === status) return;
    const changed: User = { ...user, status, version: nextVersion(user.version, this.clock), updatedAt: now };
    await this.users.save(changed, transaction);
    await stageEvent(transaction, userTopic, toUserState(changed));
  }
}
