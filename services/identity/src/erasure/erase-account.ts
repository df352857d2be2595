import { Injectable } from '@nestjs/common';
import { MarkedUsers } from '@pulso/platform/erasure/marked-users';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { AccountTraces } from '../store/account-traces.js';
import { ErasureRepository } from '../store/erasure.repository.js';
import { newUnsubscribeToken } from '../store/optional-emails.js';
import { publishUser } from '../store/publish-user.js';
import { SessionRepository } from '../store/session.repository.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';

/**
 * Begins the erasure of an account, and does identity's own part of it (ADR 20). The address stays until all services have erased what
 * they hold, the username for 90 days, so that nobody takes them before (ACCT-33).
 */
@Injectable()
export class EraseAccount {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly traces: AccountTraces,
    private readonly erasures: ErasureRepository,
    private readonly marked: MarkedUsers,
    private readonly clock: Clock,
  ) {}

  /** The user's row must be locked. Does nothing for one that is deleted already. */
  async execute(user: User, transaction: Transaction): Promise<void> {
    if (user.status === 'deleted') return;
    const now = this.clock.now();
    await this.sessions.endAll(user.id, 'erased', now, transaction);
    await this.traces.erase(user, transaction);
    const erased: User = {
      ...user,
      ...{ status: 'deleted', name: '', username: '', bio: '', specialties: [], isCoach: false },
      ...{ profileImageId: null, passwordHash: null, pendingEmail: null, emailVerified: false },
      ...{ wantsSubscriptionMails: false, wantsSecurityMails: false },
      // One that no mail has.
      unsubscribeToken: newUnsubscribeToken(),
      version: nextVersion(user.version, this.clock),
      updatedAt: now,
    };
    await this.users.save(erased, transaction);
    await publishUser(erased, transaction);
    await this.erasures.begin(user.id, transaction);
    transaction.afterCommit.push(() => this.marked.noteMarked(user.id));
  }
}
