import { Injectable } from '@nestjs/common';
import type { EraseMeRequest, EraseMeResponse } from '@pulso/contracts/identity/v1/identity';
import { tokenExpired } from '@pulso/platform/errors/domain-error';
import { Writes } from '@pulso/platform/postgres/writes';
import { ConfirmOwner } from './confirm-owner.js';
import { SignedInAccount } from '../session/signed-in-account.js';
import { UserRepository } from '../store/user.repository.js';
import { EraseAccount } from '../erasure/erase-account.js';

/**
 * `DELETE /api/me` (ACCT-32). Throws `wrong-password`: the password is wrong, or the account has none and its sign-in is 5 minutes old.
 */
@Injectable()
export class EraseMe {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly users: UserRepository,
    private readonly owner: ConfirmOwner,
    private readonly erase: EraseAccount,
  ) {}

  async execute(request: EraseMeRequest): Promise<EraseMeResponse> {
    const account = await this.signedIn.require();
    const judged = await this.owner.confirm(account, request.password);
    const isDone = await this.writes.run(async (transaction) => {
      const user = await this.users.lockById(account.id, transaction);
      if (user?.status !== 'active') throw tokenExpired();
      if (user.passwordHash !== judged) return false;
      await this.erase.execute(user, transaction);
      return true;
    });
    // The password has changed since it was judged.
    return isDone ? {} : this.execute(request);
  }
}
