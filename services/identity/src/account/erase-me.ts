import { Injectable } from '@nestjs/common';
import type { EraseMeRequest, EraseMeResponse } from '@pulso/contracts/identity/v1/identity';
import { Writes } from '@pulso/platform/postgres/writes';
import { ConfirmOwner } from './confirm-owner.js';
import { SignedInAccount } from '../session/signed-in-account.js';
import { EraseAccount } from '../erasure/erase-account.js';

/**
 * `DELETE /api/me` (ACCT-32). Throws `wrong-password`: the password is wrong, or none is given and no passkey was shown in the session within
 * 5 minutes, nor, where the account has no password, another sign-in.
 */
@Injectable()
export class EraseMe {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly owner: ConfirmOwner,
    private readonly erase: EraseAccount,
  ) {}

  async execute(request: EraseMeRequest): Promise<EraseMeResponse> {
    const account = await this.signedIn.require();
    const judged = await this.owner.confirm(account, request.password);
    const isDone = await this.writes.run(async (transaction) => {
      const user = await this.signedIn.lock(transaction);
      if (user.passwordHash !== judged) return false;
      await this.erase.execute(user, transaction);
      return true;
    });
    // The password has changed since it was judged.
    return isDone ? {} : this.execute(request);
  }
}
