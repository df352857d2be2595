import { Injectable } from '@nestjs/common';
import type { BeginPasskeyLogInRequest, PasskeyOptions } from '@pulso/contracts/identity/v1/identity';
import { PasskeyChallenges } from './passkey-challenges.js';
import { Webauthn } from './webauthn.js';

/** What a sign-in by a passkey begins with (ACCT-43): any passkey will do, so that nobody learns who has one. */
@Injectable()
export class BeginPasskeyLogIn {
  constructor(
    private readonly challenges: PasskeyChallenges,
    private readonly webauthn: Webauthn,
  ) {}

  async execute({ origin }: BeginPasskeyLogInRequest): Promise<PasskeyOptions> {
    const challenge = this.challenges.begin({ purpose: 'passkey log-in', userId: null });
    return { json: await this.webauthn.requestOptions(origin, challenge) };
  }
}
