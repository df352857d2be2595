import { Injectable } from '@nestjs/common';
import type { VerifyEmailRequest, VerifyEmailResponse } from '@pulso/contracts/identity/v1/identity';
import { nextVersion } from '@pulso/platform/events/version';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import { hashActionToken } from '../store/action-token.js';
import { ActionTokens } from '../store/action-tokens.js';
import { publishUser, userStands } from '../store/publish-user.js';
import type { User } from '../store/user.entity.js';
import { UserRepository } from '../store/user.repository.js';
import { invalidLink } from '../user/user-errors.js';

/**
 * Verifies the address that a mailed token was sent to; a pending one takes the place of the present one, which is told (ACCT-26,
 * ACCT-27). Throws `invalid-action-code`, also where another account has got the address meanwhile.
 */
@Injectable()
export class VerifyEmail {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly tokens: ActionTokens,
    private readonly notices: AccountNotices,
    private readonly clock: Clock,
  ) {}

  async execute({ token }: VerifyEmailRequest): Promise<VerifyEmailResponse> {
    const hash = hashActionToken(token);
    const found = hash && (await this.tokens.find('verify-email', hash));
    const user = found && (await this.users.findById(found.userId));
    if (!user) throw invalidLink();
    // As long as the token can be spent, the present address stays what it is: only this token changes it.
    const notice = await this.notices.seal('email-changed', { to: user.email, at: this.clock.now() });
    const spent = { userId: user.id, hash };
    const isVerified = await this.writes.run((transaction) => this.verify(spent, notice, transaction));
    // Thrown after the commit: an address that another account has waits no longer.
    if (!isVerified) throw invalidLink();
    return {};
  }

  private async verify(
    token: { userId: string; hash: Buffer },
    notice: SealedMail,
    transaction: Transaction,
  ): Promise<boolean> {
    const user = await this.users.lockById(token.userId, transaction);
    const spent = await this.tokens.spend('verify-email', token, transaction);
    // A suspended user may do it: the account can be reinstated.
    if (!spent || !user || user.status === 'deleted') return false;
    if (spent.email === user.email) {
      if (user.emailVerified) userStands(user, transaction);
      else await this.save({ ...user, emailVerified: true }, transaction);
      return true;
    }
    if (spent.email !== user.pendingEmail) return false;
    if (!(await this.users.takeEmail(user.id, spent.email, transaction))) {
      await this.users.save({ ...user, pendingEmail: null, updatedAt: this.clock.now() }, transaction);
      return false;
    }
    // Links to a new password went to the former address.
    await this.tokens.remove('reset-password', user.id, transaction);
    if (user.emailVerified) await this.notices.tell(user.id, notice, transaction);
    await this.save({ ...user, email: spent.email, pendingEmail: null, emailVerified: true }, transaction);
    return true;
  }

  private async save(user: User, transaction: Transaction): Promise<void> {
    const changed = {
      ...user,
      version: nextVersion(user.version, this.clock),
      updatedAt: this.clock.now(),
    };
    await this.users.save(changed, transaction);
    await publishUser(changed, transaction);
  }
}
