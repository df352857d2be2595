import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { CommandError } from '../rules/command-error.js';

export const SCRAM_MECHANISM = 'SCRAM-SHA-256';

/** The minimum that drivers accept. The password is random, so more iterations would not make it harder to guess. */
const ITERATIONS = 4096;

/** The data that a server stores about a user's password (RFC 5802, section 3). */
export class ScramCredentials {
  readonly salt = randomBytes(16);
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;

  constructor(password: string) {
    const salted = pbkdf2Sync(password, this.salt, ITERATIONS, 32, 'sha256');
    this.storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest();
    this.serverKey = hmac(salted, 'Server Key');
  }
}

/** The server's side of SCRAM-SHA-256 (RFC 5802, 7677) on one connection, without channel binding. */
export class ScramConversation {
  isDone = false;
  private started: { nonce: string; authMessage: string; credentials: ScramCredentials } | undefined;

  /** Of each user, by name. */
  constructor(private readonly users: ReadonlyMap<string, ScramCredentials>) {}

  /** Replies to the client's first message with nonce, salt and iterations. @throws AuthenticationFailed (18) */
  start(mechanism: string, message: string): string {
    const [, bare = '', user = '', clientNonce = ''] = /^n,,(n=([^,]*),r=([^,]+))$/.exec(message) ?? [];
    const credentials = this.users.get(user);
    if (mechanism !== SCRAM_MECHANISM || !credentials) throw refused();
    const nonce = `${clientNonce}${randomBytes(24).toString('base64')}`;
    const answer = `r=${nonce},s=${credentials.salt.toString('base64')},i=${ITERATIONS}`;
    this.started = { nonce, authMessage: `${bare},${answer}`, credentials };
    return answer;
  }

  /** Checks the client's proof and replies with the server's own. @throws AuthenticationFailed (18) */
  finish(message: string): string {
    const { started } = this;
    this.started = undefined;
    const [, withoutProof, nonce, proof = ''] = /^(c=biws,r=([^,]+)),p=([^,]+)$/.exec(message) ?? [];
    if (!started || nonce !== started.nonce) throw refused();
    const { storedKey, serverKey } = started.credentials;
    const authMessage = `${started.authMessage},${withoutProof}`;
    const signature = hmac(storedKey, authMessage);
    const clientKey = Buffer.from(proof, 'base64').map((byte, at) => byte ^ (signature[at] ?? 0));
    if (!timingSafeEqual(createHash('sha256').update(clientKey).digest(), storedKey)) throw refused();
    this.isDone = true;
    return `v=${hmac(serverKey, authMessage).toString('base64')}`;
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function refused(): CommandError {
  return new CommandError(18, 'Authentication failed.');
}
