import { Injectable } from '@nestjs/common';
import type { PasskeyAssertion } from '@pulso/contracts/identity/v1/identity';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { type Passkey, Passkeys } from '../store/passkeys.js';
import { type Asked, PasskeyChallenges } from './passkey-challenges.js';
import { Webauthn } from './webauthn.js';

/** A passkey whose owner has just shown it. */
interface ShownPasskey {
  userId: Passkey['userId'];
  /** Notes it. Returns false where the same answer, or a copy of the passkey, has come before, or the passkey was removed meanwhile. */
  note(transaction: Transaction): Promise<boolean>;
}

/** Judges what authenticators have signed to show a passkey (ACCT-43). */
@Injectable()
export class ShownPasskeys {
  constructor(
    private readonly challenges: PasskeyChallenges,
    private readonly passkeys: Passkeys,
    private readonly webauthn: Webauthn,
  ) {}

  /** Undefined where anything does not fit. To be called outside of a transaction; then `note` it within one. */
  async judge(
    origin: string,
    assertion: PasskeyAssertion | undefined,
    asked: Asked,
  ): Promise<ShownPasskey | undefined> {
    if (!assertion) return undefined;
    const challenge = this.challenges.open(asked, assertion.clientDataJson);
    if (!challenge) return undefined;
    const passkey = await this.passkeys.withCredential(Buffer.from(assertion.id, 'base64url'));
    if (!passkey) return undefined;
    const use = await this.webauthn.asserted(passkey, {
      origin,
      signed: assertion,
      challenge: challenge.signed,
    });
    if (!use) return undefined;
    return {
      userId: passkey.userId,
      note: async (transaction) =>
        (await this.challenges.spend(challenge, transaction)) && (await this.passkeys.use(use, transaction)),
    };
  }
}
