import { Injectable } from '@nestjs/common';
import type { BeginPasskeyRequest, PasskeyOptions } from '@pulso/contracts/identity/v1/identity';
import { PASSKEYS } from '@pulso/contracts/limits';
import { ConfirmOwner } from '../account/confirm-owner.js';
import { SignedInAccount } from '../session/signed-in-account.js';
import { Passkeys } from '../store/passkeys.js';
import { tooManyPasskeys } from '../user/user-errors.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { Webauthn } from './webauthn.js';

/**
 * What a new passkey of the caller begins with (ACCT-43). Throws `wrong-password`: a session that is open must not be enough for a
 * lasting way in; and `unprocessable` where there are as many as may be (LIMIT-19).
 */
@Injectable()
export class BeginPasskey {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly owner: ConfirmOwner,
    private readonly passkeys: Passkeys,
    private readonly challenges: PasskeyChallenges,
    private readonly webauthn: Webauthn,
  ) {}

  async execute({ origin, currentPassword }: BeginPasskeyRequest): Promise<PasskeyOptions> {
    const account = await this.signedIn.require();
    await this.owner.check(account, currentPassword);
    const known = await this.passkeys.of(account.id);
    if (known.length >= PASSKEYS.max) throw tooManyPasskeys();
    const challenge = this.challenges.begin({ purpose: 'new passkey', userId: account.id });
    return { json: await this.webauthn.creationOptions(origin, { user: account, challenge, known }) };
  }
}
