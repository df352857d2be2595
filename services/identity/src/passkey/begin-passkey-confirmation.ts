import { Injectable } from '@nestjs/common';
import type { BeginPasskeyConfirmationRequest, PasskeyOptions } from '@pulso/contracts/identity/v1/identity';
import { SignedInAccount } from '../session/signed-in-account.js';
import { Passkeys } from '../store/passkeys.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { Webauthn } from './webauthn.js';

/** What a confirmation by one of the caller's passkeys begins with (ACCT-43). */
@Injectable()
export class BeginPasskeyConfirmation {
  constructor(
    private readonly signedIn: SignedInAccount,
    private readonly passkeys: Passkeys,
    private readonly challenges: PasskeyChallenges,
    private readonly webauthn: Webauthn,
  ) {}

  async execute({ origin }: BeginPasskeyConfirmationRequest): Promise<PasskeyOptions> {
    const { id: userId } = await this.signedIn.require();
    const known = await this.passkeys.of(userId);
    const challenge = this.challenges.begin({ purpose: 'passkey confirmation', userId });
    return { json: await this.webauthn.requestOptions(origin, challenge, known) };
  }
}
