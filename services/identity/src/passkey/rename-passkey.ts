import { Injectable } from '@nestjs/common';
import type { Passkey, RenamePasskeyRequest } from '@pulso/contracts/identity/v1/identity';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Writes } from '@pulso/platform/postgres/writes';
import { SignedInAccount } from '../session/signed-in-account.js';
import { Passkeys } from '../store/passkeys.js';
import { RequestFields } from '../user/request-fields.js';
import { toPasskeyMessage } from './passkey-message.js';

/** Gives one of the caller's passkeys another name. Throws `validation-failed`, then `not-found` (ACCT-43). */
@Injectable()
export class RenamePasskey {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly passkeys: Passkeys,
  ) {}

  async execute({ id, name }: RenamePasskeyRequest): Promise<Passkey> {
    const { id: userId } = await this.signedIn.require();
    const fields = new RequestFields();
    const given = fields.name(name);
    fields.check();
    const renamed =
      isId(id) &&
      (await this.writes.run(async (transaction) => {
        await this.signedIn.lock(transaction);
        return this.passkeys.rename({ id, userId, name: given }, transaction);
      }));
    if (!renamed) throw notFound('Passkey not found');
    return toPasskeyMessage(renamed);
  }
}
