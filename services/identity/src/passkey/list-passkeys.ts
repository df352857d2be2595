import { Injectable } from '@nestjs/common';
import type { ListPasskeysResponse } from '@pulso/contracts/identity/v1/identity';
import { SignedInAccount } from '../session/signed-in-account.js';
import { Passkeys } from '../store/passkeys.js';
import { toPasskeyMessage } from './passkey-message.js';

/** The caller's passkeys, the newest first (ACCT-43). */
@Injectable()
export class ListPasskeys {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly passkeys: Passkeys,
  ) {}

  async execute(): Promise<ListPasskeysResponse> {
    const { id } = await this.signedIn.require();
    return { passkeys: (await this.passkeys.of(id)).map(toPasskeyMessage) };
  }
}
