import { Injectable } from '@nestjs/common';
import type { RemovePasskeyRequest, RemovePasskeyResponse } from '@pulso/contracts/identity/v1/identity';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { SignedInAccount } from '../session/signed-in-account.js';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import { type Passkey, Passkeys } from '../store/passkeys.js';

/**
 * Takes a way in away: needs no proof beyond the session, leaves the other ways, and tells the verified address of it (MAIL-13). Throws
 * `not-found` (ACCT-43).
 */
@Injectable()
export class RemovePasskey {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly passkeys: Passkeys,
    private readonly notices: AccountNotices,
  ) {}

  async execute({ id }: RemovePasskeyRequest): Promise<RemovePasskeyResponse> {
    const { id: userId, email, emailVerified } = await this.signedIn.require();
    if (!isId(id)) throw passkeyNotFound();
    const notice = emailVerified ? await this.notices.seal('passkey-removed', { to: email }) : undefined;
    const isRemoved = await this.writes.run((transaction) =>
      this.remove({ id, userId }, notice, transaction),
    );
    if (!isRemoved) throw passkeyNotFound();
    return {};
  }

  private async remove(
    passkey: Pick<Passkey, 'id' | 'userId'>,
    notice: SealedMail | undefined,
    transaction: Transaction,
  ): Promise<boolean> {
    await this.signedIn.lock(transaction);
    const isRemoved = await this.passkeys.remove(passkey, transaction);
    if (isRemoved && notice) await this.notices.tell(passkey.userId, notice, transaction);
    return isRemoved;
  }
}

const passkeyNotFound = () => notFound('Passkey not found');
