import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Of the flags that an authenticator signs (WebAuthn, 6.1). */
const FLAG = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const;

/** What of an answer is not as it should be. */
export interface Wrong {
  origin?: string;
  /** The host that the authenticator takes the page for. */
  host?: string;
  challenge?: string;
  /** `webauthn.create` or `webauthn.get`. */
  type?: string;
  crossOrigin?: boolean;
  /** False: only that somebody was there. */
  verified?: boolean;
  counter?: number;
  userHandle?: string;
  /** Of a new passkey. */
  format?: string;
}

/** What a page sends, as JSON (WebAuthn, `RegistrationResponseJSON` and `AuthenticationResponseJSON`). */
interface Answer<Response> {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults: Record<string, never>;
  response: Response;
}
export type Attestation = Answer<{
  clientDataJSON: string;
  attestationObject: string;
  transports: string[];
}>;
export type Assertion = Answer<{
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}>;

interface AuthenticatorOptions {
  /** What its counter begins with; without it, it does not count. */
  counter?: number;
  /** Whether it has copies of its keys elsewhere. */
  backedUp?: boolean;
}

/** An authenticator with one passkey: an ES256 key, an id and the handle of its user. */
export class TestAuthenticator {
  private readonly id = randomBytes(16);
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private counter: number | undefined;
  private userHandle = '';

  constructor(
    /** Of the pages that the browser shows. */
    private readonly origin: string,
    private readonly options: AuthenticatorOptions = {},
  ) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
    this.counter = options.counter;
  }

  /** Answers `navigator.credentials.create`, whose options are given as JSON. */
  create(options: string, wrong: Wrong = {}): Attestation {
    const { challenge, user } = JSON.parse(options) as { challenge: string; user: { id: string } };
    this.userHandle = user.id;
    const data = Buffer.concat([
      this.head(FLAG.attested, wrong),
      Buffer.alloc(16),
      uint16(this.id.length),
      this.id,
      this.coseKey(),
    ]);
    const attestationObject = Buffer.concat([
      cborMap(3),
      ...[cborText('fmt'), cborText(wrong.format ?? 'none')],
      ...[cborText('attStmt'), cborMap(0)],
      ...[cborText('authData'), cborBytes(data)],
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge, wrong).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Answers `navigator.credentials.get`, whose options are given as JSON. */
  get(options: string, wrong: Wrong = {}): Assertion {
    const { challenge } = JSON.parse(options) as { challenge: string };
    if (this.counter !== undefined) this.counter += 1;
    const clientData = this.clientData('webauthn.get', challenge, wrong);
    const data = this.head(0, wrong);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.privateKey).toString('base64url'),
      userHandle: wrong.userHandle ?? this.userHandle,
    });
  }

  private answer<Response>(response: Response): Answer<Response> {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    const origin = this.origin;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...chosen(wrong) }));
  }

  /** Hash of the host, flags, counter. */
  private head(flags: number, { host, verified = true, counter = this.counter ?? 0 }: Wrong): Buffer {
    const copies = this.options.backedUp ? FLAG.backupEligible | FLAG.backedUp : 0;
    return Buffer.concat([
      createHash('sha256')
        .update(host ?? new URL(this.origin).hostname)
        .digest(),
      Buffer.from([flags | FLAG.present | (verified ? FLAG.verified : 0) | copies]),
      uint32(counter),
    ]);
  }

  /** RFC 9053: key type EC2, algorithm ES256, curve P-256, both coordinates. */
  private coseKey(): Buffer {
    const { x, y } = this.publicKey.export({ format: 'jwk' });
    const coordinate = (value: string | undefined) => cborBytes(Buffer.from(value!, 'base64url'));
    const [one, two, three] = [1, 2, 3].map((key) => Buffer.from([key]));
    const [minusOne, minusTwo, minusThree] = [0x20, 0x21, 0x22].map((key) => Buffer.from([key]));
    return Buffer.concat([
      cborMap(5),
      ...[one!, two!],
      ...[three!, Buffer.from([0x26])],
      ...[minusOne!, one!],
      ...[minusTwo!, coordinate(x)],
      ...[minusThree!, coordinate(y)],
    ]);
  }
}

const chosen = ({ origin, challenge, type, crossOrigin }: Wrong) =>
  Object.fromEntries(
    Object.entries({ origin, challenge, type, crossOrigin }).filter(([, value]) => value !== undefined),
  );

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** CBOR (RFC 8949), as much of it as is needed here: texts of less than 24 bytes, byte strings of less than 65,536. */
const cborMap = (entries: number): Buffer => Buffer.from([0xa0 + entries]);
const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 256
      ? Buffer.from([0x58, bytes.length])
      : Buffer.concat([Buffer.from([0x59]), uint16(bytes.length)]);
  return Buffer.concat([head, bytes]);
}
