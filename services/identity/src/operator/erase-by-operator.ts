import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { Writes } from '@pulso/platform/postgres/writes';
import { EraseAccount } from '../erasure/erase-account.js';
import type { User } from '../store/user.entity.js';
import { NamedUsers } from '../user/named-users.js';
import type { Act } from './act.js';

/** Erases an account whose owner has asked an operator for it (ACCT-32, ACCT-44). It never comes back. */
@Injectable()
export class EraseByOperator {
  constructor(
    private readonly writes: Writes,
    private readonly named: NamedUsers,
    private readonly erasure: EraseAccount,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the account as it was; with `apply` false nothing is changed, and that it was shown is recorded. Throws `not-found` where no
   * account goes by this name or address now.
   */
  async execute(named: string, { apply, ...act }: Act & { apply: boolean }): Promise<User> {
    const found = await this.named.find(named);
    return this.writes.run(async (transaction) => {
      const user = await this.named.lock(found, named, transaction);
      if (apply) await this.erasure.execute(user, transaction);
      const outcome = apply ? 'requested' : 'shown';
      await this.audit.record({ ...act, command: 'erase', subject: user.id, outcome }, transaction);
      return user;
    });
  }
}
