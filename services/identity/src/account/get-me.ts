import { Injectable } from '@nestjs/common';
import type { Account } from '@pulso/contracts/identity/v1/identity';
import { SignedInAccount } from '../session/signed-in-account.js';
import { toAccountMessage } from '../user/user-message.js';

/** The caller's own account. */
@Injectable()
export class GetMe {
  constructor(private readonly signedIn: SignedInAccount) {}

  async execute(): Promise<Account> {
    return toAccountMessage(await this.signedIn.requireShown());
  }
}
