import type { PasskeyAssertion, PasskeyAttestation, Session } from '@pulso/contracts/identity/v1/identity';
import {
  type Assertion,
  type Attestation,
  TestAuthenticator,
  type Wrong,
} from '@pulso/platform/testing/test-authenticator';
import { AddPasskey } from '../../src/passkey/add-passkey.js';
import { BeginPasskey } from '../../src/passkey/begin-passkey.js';
import { BeginPasskeyConfirmation } from '../../src/passkey/begin-passkey-confirmation.js';
import { BeginPasskeyLogIn } from '../../src/passkey/begin-passkey-log-in.js';
import { ConfirmByPasskey } from '../../src/passkey/confirm-by-passkey.js';
import { LogInByPasskey } from '../../src/passkey/log-in-by-passkey.js';
import type { Identity } from '../start.js';

export const ORIGIN = 'https://pulso.example';
export const DEVICE = { userAgent: 'Firefox on a laptop', address: '192.0.2.1' };

export function attestationOf({ id, response }: Attestation): PasskeyAttestation {
  const { clientDataJSON: clientDataJson, attestationObject, transports } = response;
  return { id, clientDataJson, attestationObject, transports };
}

export function assertionOf({ id, response }: Assertion): PasskeyAssertion {
  const { clientDataJSON: clientDataJson, authenticatorData, signature, userHandle = '' } = response;
  return { id, clientDataJson, authenticatorData, signature, userHandle };
}

/** What people do with passkeys, step by step. */
export class PasskeySteps {
  constructor(private readonly identity: Identity) {}

  /** The options of a new passkey. */
  async begin(person: Session, currentPassword?: string): Promise<string> {
    const begun = this.identity.as(person, () =>
      this.identity.get(BeginPasskey).execute({ origin: ORIGIN, currentPassword }),
    );
    return (await begun).json;
  }

  finish(person: Session, attestation: Attestation, name = 'My phone') {
    const request = { origin: ORIGIN, name, attestation: attestationOf(attestation) };
    return this.identity.as(person, () => this.identity.get(AddPasskey).execute(request));
  }

  /** A passkey of a person whose sign-in is fresh. */
  async add(person: Session, authenticator = new TestAuthenticator(ORIGIN), name?: string) {
    const passkey = await this.finish(person, authenticator.create(await this.begin(person)), name);
    return { passkey, authenticator };
  }

  async beginLogIn(): Promise<string> {
    return (await this.identity.get(BeginPasskeyLogIn).execute({ origin: ORIGIN })).json;
  }

  finishLogIn(assertion: Assertion, device = DEVICE): Promise<Session> {
    const request = { origin: ORIGIN, assertion: assertionOf(assertion), device };
    return this.identity.get(LogInByPasskey).execute(request);
  }

  async logIn(authenticator: TestAuthenticator, wrong?: Wrong): Promise<Session> {
    return this.finishLogIn(authenticator.get(await this.beginLogIn(), wrong));
  }

  async beginConfirmation(person: Session): Promise<string> {
    const begun = this.identity.as(person, () =>
      this.identity.get(BeginPasskeyConfirmation).execute({ origin: ORIGIN }),
    );
    return (await begun).json;
  }

  finishConfirmation(person: Session, assertion: Assertion) {
    const request = { origin: ORIGIN, assertion: assertionOf(assertion) };
    return this.identity.as(person, () => this.identity.get(ConfirmByPasskey).execute(request));
  }

  async confirm(person: Session, authenticator: TestAuthenticator, wrong?: Wrong) {
    return this.finishConfirmation(person, authenticator.get(await this.beginConfirmation(person), wrong));
  }
}
