import { Injectable } from '@nestjs/common';
import type { AddPasskeyRequest, Passkey as PasskeyMessage } from '@pulso/contracts/identity/v1/identity';
import { PASSKEYS } from '@pulso/contracts/limits';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { SignedInAccount } from '../session/signed-in-account.js';
import { AccountNotices, type SealedMail } from '../store/account-notices.js';
import { type NewPasskey, type Passkey, Passkeys } from '../store/passkeys.js';
import { RequestFields } from '../user/request-fields.js';
import { passkeyRefused, passkeyTaken, tooManyPasskeys } from '../user/user-errors.js';
import { type Challenge, PasskeyChallenges } from './passkey-challenges.js';
import { toPasskeyMessage } from './passkey-message.js';
import { Webauthn } from './webauthn.js';

/**
 * Adds a passkey to the caller's account (ACCT-43), and tells the verified address of it (MAIL-13). That the owner asks was shown
 * before its challenge was given out. Throws `validation-failed`, then `unprocessable` for what does not fit or is one too many, and
 * `conflict` for one that an account has.
 */
@Injectable()
export class AddPasskey {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly writes: Writes,
    private readonly passkeys: Passkeys,
    private readonly challenges: PasskeyChallenges,
    private readonly webauthn: Webauthn,
    private readonly notices: AccountNotices,
  ) {}

  async execute({ origin, name, attestation }: AddPasskeyRequest): Promise<PasskeyMessage> {
    const { id: userId, email, emailVerified } = await this.signedIn.require();
    const fields = new RequestFields();
    const given = fields.name(name);
    fields.check();
    if (!attestation) throw passkeyRefused();
    const asked = { purpose: 'new passkey', userId } as const;
    const challenge = this.challenges.open(asked, attestation.clientDataJson);
    if (!challenge) throw passkeyRefused();
    const { signed } = challenge;
    const verified = await this.webauthn.attested({ origin, signed: attestation, challenge: signed });
    if (!verified) throw passkeyRefused();
    const passkey: NewPasskey = { ...verified, userId, name: given };
    // To this address, also where whoever has added it changes that before the mail can be sent.
    const notice = emailVerified ? await this.notices.seal('passkey-added', { to: email }) : undefined;
    return toPasskeyMessage(
      await this.writes.run((transaction) => this.store(passkey, { challenge, notice }, transaction)),
    );
  }

  private async store(
    passkey: NewPasskey,
    { challenge, notice }: { challenge: Challenge; notice: SealedMail | undefined },
    transaction: Transaction,
  ): Promise<Passkey> {
    const { userId } = passkey;
    const user = await this.signedIn.lock(transaction);
    if (!(await this.challenges.spend(challenge, transaction))) throw passkeyRefused();
    if ((await this.passkeys.of(userId, transaction)).length >= PASSKEYS.max) throw tooManyPasskeys();
    const added = await this.passkeys.insert(passkey, user, transaction);
    if (!added) throw passkeyTaken();
    if (notice) await this.notices.tell(userId, notice, transaction);
    return added;
  }
}
