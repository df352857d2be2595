import { Injectable } from '@nestjs/common';
import type { RemovePasskeyRequest, RemovePasskeyResponse } from '@pulso/contracts/identity/v1/identity';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { SignedInAccount } from '../session/signed-in-account.js';
import { Passkeys } from '../store/passkeys.js';

/** Takes a way in away: needs no proof beyond the session, and leaves the other ways. Throws `not-found` (ACCT-43). */
@Injectable()
export class RemovePasskey {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly passkeys: Passkeys,
  ) {}

  async execute({ id }: RemovePasskeyRequest): Promise<RemovePasskeyResponse> {
    const { id: userId } = await this.signedIn.require();
    const removed =
      isId(id) &&
      (await this.writes.run(async (transaction) => {
        await this.signedIn.lock(transaction);
        return this.passkeys.remove({ id, userId }, transaction);
      }));
    if (!removed) throw notFound('Passkey not found');
    return {};
  }
}
