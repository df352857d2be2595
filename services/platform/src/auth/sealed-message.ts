import { compactDecrypt, CompactEncrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { newId } from '../ids/uuid-v7.js';

const KEY_AGREEMENT = 'ECDH-ES';
const CONTENT = 'A256GCM';

/** Seals for one reader, whom the writer knows by a public key: whatever stores or carries it cannot read it. */
export abstract class MessageSealer {
  /** A compact JWE. */
  abstract seal(bytes: Uint8Array): Promise<string>;
}

/** The reader's side. */
export abstract class MessageOpener {
  /** Rejects if it was sealed for another key, or changed. */
  abstract open(sealed: string): Promise<Uint8Array>;
}

/** `key`: a public X25519 JWK with a `kid`. */
export function createMessageSealer(key: JWK): MessageSealer {
  const imported = importJWK(key, KEY_AGREEMENT);
  const header = { alg: KEY_AGREEMENT, enc: CONTENT, kid: key.kid };
  return {
    seal: async (bytes) => new CompactEncrypt(bytes).setProtectedHeader(header).encrypt(await imported),
  };
}

/** `keys`: private X25519 JWKs, by whose `kid` each message finds its own; so a key can be replaced while old messages wait. */
export function createMessageOpener(keys: readonly JWK[]): MessageOpener {
  const byKid = new Map(keys.map((key) => [key.kid, importJWK(key, KEY_AGREEMENT)]));
  return {
    async open(sealed) {
      const find = async ({ kid }: { kid?: string }) => {
        const key = byKid.get(kid);
        if (!key) throw new Error('sealed for a key that is not there');
        return key;
      };
      const options = { keyManagementAlgorithms: [KEY_AGREEMENT], contentEncryptionAlgorithms: [CONTENT] };
      return (await compactDecrypt(sealed, find, options)).plaintext;
    },
  };
}

/** A new private X25519 JWK. */
export async function generateSealingKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(KEY_AGREEMENT, { crv: 'X25519', extractable: true });
  return { ...(await exportJWK(privateKey)), kid: newId() };
}

/** What the writer gets of a private key. */
export const publicSealingKey = ({ kty, crv, x, kid }: JWK): JWK => ({ kty, crv, x, kid });
