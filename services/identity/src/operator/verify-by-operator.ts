import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { nextVersion } from '@pulso/platform/events/version';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { publishUser } from '../store/publish-user.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { NamedUsers } from '../user/named-users.js';
import type { Act } from './act.js';

/** An operator's word that the present e-mail address of an account belongs to its owner (ACCT-37). */
@Injectable()
export class VerifyByOperator {
  constructor(
    private readonly writes: Writes,
    private readonly named: NamedUsers,
    private readonly users: UserRepository,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Returns the account; may be repeated. Throws `not-found` where none goes by this name or address now. */
  async execute(named: string, act: Act): Promise<User> {
    const found = await this.named.find(named);
    return this.writes.run(async (transaction) => {
      const user = await this.named.lock(found, named, transaction);
      const outcome = user.emailVerified ? 'was verified' : 'verified';
      const deed = { ...act, command: 'verify-email', subject: user.id, outcome };
      await this.audit.record(deed, transaction);
      return user.emailVerified ? user : this.verify(user, transaction);
    });
  }

  private async verify(user: User, transaction: Transaction): Promise<User> {
    const changed: User = {
      ...user,
      emailVerified: true,
      version: nextVersion(user.version, this.clock),
      updatedAt: this.clock.now(),
    };
    await this.users.save(changed, transaction);
    await publishUser(changed, transaction);
    return changed;
  }
}
