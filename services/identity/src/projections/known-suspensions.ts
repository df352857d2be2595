import { Injectable } from '@nestjs/common';
import type { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { publishUser } from '../store/publish-user.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/**
 * Identity's projection of moderators' decisions about accounts. A decision suspends the account and ends all its sessions, or
 * makes it active again. An account without a decision is active.
 */
@Injectable()
export class KnownSuspensions extends ProjectionTable<UserSuspensionState> {
  constructor(
    store: ProjectionStore,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly clock: Clock,
  ) {
    super(store, {
      topic: userSuspensionTopic,
      table: 'known_suspensions',
      key: ['user_id'],
      columns: ({ suspended }) => ({ suspended }),
    });
  }

  protected override async afterRowWritten(
    [userId]: readonly string[],
    decision: UserSuspensionState | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const user = await this.users.lockById(userId!, transaction);
    // A deleted account stays deleted.
    if (!user || user.status === 'deleted') return;
    const status = decision?.suspended ? 'suspended' : 'active';
    const now = this.clock.now();
    if (status === 'suspended') await this.sessions.endAll(user.id, 'suspended', now, transaction);
    if (user.status === status) return;
    const changed: User = { ...user, status, version: nextVersion(user.version, this.clock), updatedAt: now };
    await this.users.save(changed, transaction);
    await publishUser(changed, transaction);
  }
}
