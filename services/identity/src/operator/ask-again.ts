import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { notFound } from '@pulso/platform/errors/domain-error';
import { nextVersion } from '@pulso/platform/events/version';
import { Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { ErasureRepository } from '../store/erasure.repository.js';
import { publishUser } from '../store/publish-user.js';
import { UserRepository } from '../store/user.repository.js';
import type { Act } from './act.js';

/**
 * Asks all services again to erase a user, also those that have acknowledged it: an event may have been lost on the way. It is recorded
 * (ACCT-44).
 */
@Injectable()
export class AskAgain {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly erasures: ErasureRepository,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Throws `not-found` where no account with this id is erased. */
  execute(userId: string, act: Act): Promise<void> {
    return this.writes.run(async (transaction) => {
      const user = await this.users.lockById(userId, transaction);
      const erasure = await this.erasures.lock(userId, transaction);
      if (!user || !erasure) throw notFound(`No account with the id ${userId} is erased.`);
      // Services begin when they have this one.
      const told = { ...user, version: nextVersion(user.version, this.clock) };
      await this.users.save(told, transaction);
      await publishUser(told, transaction);
      await this.erasures.askAgain(erasure, transaction);
      const deed = { ...act, command: 'ask-erasure', subject: userId, outcome: 'asked' };
      await this.audit.record(deed, transaction);
    });
  }
}
