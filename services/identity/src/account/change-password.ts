import { Injectable } from '@nestjs/common';
import type { ChangePasswordRequest, ChangePasswordResponse } from '@pulso/contracts/identity/v1/identity';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Writes } from '@pulso/platform/postgres/writes';
import { policyOf } from '../password/password-policy.js';
import { SignedInAccount } from '../session/signed-in-account.js';
import { IdentitySettings } from '../settings.js';
import { RequestFields } from '../user/request-fields.js';
import { ConfirmOwner } from './confirm-owner.js';
import { SetPassword } from './set-password.js';

/**
 * Changes the caller's password and ends the caller's other sessions (ACCT-9). Throws `validation-failed`, then `wrong-password`: the
 * present one is wrong, or is not given and neither a passkey (ACCT-43) nor, where the account has none, the sign-in is younger than 5
 * minutes.
 */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly owner: ConfirmOwner,
    private readonly setPassword: SetPassword,
    private readonly settings: IdentitySettings,
  ) {}

  async execute(request: ChangePasswordRequest): Promise<ChangePasswordResponse> {
    const account = await this.signedIn.require();
    const fields = new RequestFields();
    const password = fields.newPassword('password', request.password, policyOf(this.settings));
    fields.check();
    const former = await this.owner.confirm(account, request.currentPassword);
    const prepared = await this.setPassword.prepare(password, account.email);

    const isDone = await this.writes.run(async (transaction) => {
      const user = await this.signedIn.lock(transaction);
      if (user.passwordHash !== former) return false;
      await this.setPassword.execute(
        user,
        { ...prepared, keptSession: requireCaller().sessionId },
        transaction,
      );
      return true;
    });
    // The password has changed since the present one was judged.
    return isDone ? {} : this.execute(request);
  }
}
