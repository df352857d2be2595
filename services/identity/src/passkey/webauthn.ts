import { Injectable } from '@nestjs/common';
import type { PasskeyAssertion, PasskeyAttestation } from '@pulso/contracts/identity/v1/identity';
import { Logger } from '@pulso/platform/logging/logger';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { NewPasskey, Passkey, PasskeyUse } from '../store/passkeys.js';
import type { User } from '../store/user.entity.js';
import { CHALLENGE_LIFE_MS } from './passkey-challenges.js';

/** EdDSA, ES256 and RS256 (COSE), which every version of Node verifies: replicas must agree. */
const ALGORITHMS = [-8, -7, -257];
const NAME = 'Pulso';
/** Longer credential ids are none (WebAuthn, 4). */
const CREDENTIAL_ID_BYTES = 1023;
const TRANSPORTS: ReadonlySet<string> = new Set(['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** What is to be verified. */
interface Given<Signed> {
  origin: string;
  signed: Signed;
  /** As authenticators sign it. */
  challenge: string;
}

type VerifiedPasskey = Omit<NewPasskey, 'userId' | 'name'>;

/**
 * The WebAuthn standard, of which the library knows the formats and signatures. Passkeys are discoverable, so that nobody needs to say
 * who they are, and verify their user (a finger, a face or a PIN): having the device is not enough. Origins are scheme, host and
 * port; a passkey is bound to the host. All answers are undefined where something is refused: anything may be wrong with what a
 * browser has sent.
 */
@Injectable()
export class Webauthn {
  constructor(private readonly logger: Logger) {}

  /** What `navigator.credentials.create` takes, as JSON. */
  async creationOptions(
    origin: string,
    {
      user,
      challenge,
      known,
    }: { user: Pick<User, 'id' | 'email' | 'name'>; challenge: string; known: readonly Passkey[] },
  ): Promise<string> {
    const options = await generateRegistrationOptions({
      rpName: NAME,
      rpID: hostOf(origin),
      userID: new Uint8Array(handleOf(user.id)),
      userName: user.email,
      userDisplayName: user.name,
      challenge,
      timeout: CHALLENGE_LIFE_MS,
      attestationType: 'none',
      excludeCredentials: known.map(toDescriptor),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return JSON.stringify(options);
  }

  /** What `navigator.credentials.get` takes, as JSON: any passkey, or one of those that are `known`. */
  async requestOptions(origin: string, challenge: string, known?: readonly Passkey[]): Promise<string> {
    const options = await generateAuthenticationOptions({
      rpID: hostOf(origin),
      challenge,
      timeout: CHALLENGE_LIFE_MS,
      allowCredentials: known?.map(toDescriptor),
      userVerification: 'required',
    });
    return JSON.stringify(options);
  }

  async attested({
    origin,
    signed,
    challenge,
  }: Given<PasskeyAttestation>): Promise<VerifiedPasskey | undefined> {
    const { id, clientDataJson: clientDataJSON, attestationObject, transports } = signed;
    try {
      if (!isPlain(attestationObject)) return undefined;
      const { registrationInfo } = await verifyRegistrationResponse({
        response: {
          id,
          rawId: id,
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON, attestationObject, transports },
        },
        expectedChallenge: challenge,
        expectedOrigin: new URL(origin).origin,
        expectedRPID: hostOf(origin),
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!registrationInfo) return undefined;
      const { credential, credentialBackedUp: backedUp } = registrationInfo;
      const credentialId = Buffer.from(credential.id, 'base64url');
      if (credentialId.length === 0 || credentialId.length > CREDENTIAL_ID_BYTES) return undefined;
      return {
        credentialId,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: [...new Set(transports.filter((one) => TRANSPORTS.has(one)))],
        backedUp,
      };
    } catch (error) {
      return this.refused(error);
    }
  }

  /** How the passkey was used. */
  async asserted(
    passkey: Passkey,
    { origin, signed, challenge }: Given<PasskeyAssertion>,
  ): Promise<PasskeyUse | undefined> {
    const { id, clientDataJson: clientDataJSON, authenticatorData, signature, userHandle } = signed;
    const handle = handleOf(passkey.userId);
    if (userHandle !== '' && !handle.equals(Buffer.from(userHandle, 'base64url'))) return undefined;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: {
          id,
          rawId: id,
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON, authenticatorData, signature },
        },
        expectedChallenge: challenge,
        expectedOrigin: new URL(origin).origin,
        expectedRPID: hostOf(origin),
        requireUserVerification: true,
        credential: {
          ...toDescriptor(passkey),
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
        },
      });
      const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
      return verified ? { id: passkey.id, counter, backedUp } : undefined;
    } catch (error) {
      return this.refused(error);
    }
  }

  /** The library throws for whatever does not fit, with a plain text that says what. */
  private refused(error: unknown): undefined {
    this.logger.debug({ err: error }, 'refused a passkey');
  }
}

/**
 * Whether it says nothing of the authenticator's maker: none was asked for, and what comes with certificates may make the library
 * fetch lists of revoked ones, from wherever they say.
 */
function isPlain(attestationObject: string): boolean {
  const object = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = object.get('fmt');
  return format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined);
}

const hostOf = (origin: string): string => new URL(origin).hostname;

/** By which an authenticator knows the account: the bytes of its id, which say nothing about its owner. */
const handleOf = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

const toDescriptor = ({ credentialId, transports }: Passkey) => ({
  id: credentialId.toString('base64url'),
  transports,
});
