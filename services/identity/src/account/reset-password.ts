import { Injectable } from '@nestjs/common';
import type { ResetPasswordRequest, ResetPasswordResponse } from '@pulso/contracts/identity/v1/identity';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { policyOf } from '../password/password-policy.js';
import { IdentitySettings } from '../settings.js';
import { hashActionToken } from '../store/action-token.js';
import { ActionTokens } from '../store/action-tokens.js';
import { UserRepository } from '../store/user.repository.js';
import { RequestFields } from '../user/request-fields.js';
import { invalidLink } from '../user/user-errors.js';
import { type PreparedPassword, SetPassword } from './set-password.js';

/**
 * Sets the password by the token of a mailed link and ends all sessions (ACCT-10). Throws `validation-failed`, which does not spend
 * the token, then `invalid-action-code`.
 */
@Injectable()
export class ResetPassword {
  constructor(
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly tokens: ActionTokens,
    private readonly setPassword: SetPassword,
    private readonly settings: IdentitySettings,
  ) {}

  async execute(request: ResetPasswordRequest): Promise<ResetPasswordResponse> {
    const fields = new RequestFields();
    const password = fields.newPassword('password', request.password, policyOf(this.settings));
    fields.check();
    const hash = hashActionToken(request.token);
    const found = hash && (await this.tokens.find('reset-password', hash));
    if (!found) throw invalidLink();
    // Only for a token that is live: strangers must not make identity hash.
    const prepared = await this.setPassword.prepare(password, found.email);
    await this.writes.run((transaction) => this.reset({ userId: found.userId, hash }, prepared, transaction));
    return {};
  }

  private async reset(
    token: { userId: string; hash: Buffer },
    prepared: PreparedPassword,
    transaction: Transaction,
  ): Promise<void> {
    const user = await this.users.lockById(token.userId, transaction);
    const spent = await this.tokens.spend('reset-password', token, transaction);
    if (!spent || user?.status !== 'active' || user.email !== spent.email) throw invalidLink();
    // Who has the token reads the mail of the address.
    await this.setPassword.execute(user, { ...prepared, verifiesEmail: true }, transaction);
  }
}
