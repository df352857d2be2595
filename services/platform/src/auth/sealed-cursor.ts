import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../errors/domain-error.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

export interface CursorSecret {
  /** Letters, digits, `-` and `_`. */
  kid: string;
  secret: string;
}

/** List cursors (HTTP-6) are opaque, tamper-evident, bound to the viewer and the list, and valid after a restart. */
export abstract class CursorSealer {
  abstract seal(list: string, viewerId: string | null, value: JsonValue): string;
  /** Throws `invalid-cursor` if it was tampered with or sealed for another list or viewer, or its secret is unknown. */
  abstract open(list: string, viewerId: string | null, cursor: string): JsonValue;
}

const KID = /^[A-Za-z0-9_-]+$/;
/** 22 base64url characters keep 128 bits of the MAC: enough against online guessing, and cursors stay short. */
const MAC_LENGTH = 22;

/** Seals with the first of `secrets`; opens cursors of all of them. */
export function createCursorSealer(options: { secrets: readonly CursorSecret[] }): CursorSealer {
  const keys = new Map<string, string>();
  for (const { kid, secret } of options.secrets) {
    if (!KID.test(kid)) throw new Error('A cursor secret needs a kid of letters, digits, - and _');
    keys.set(kid, secret);
  }
  const sealing = options.secrets[0];
  if (!sealing) throw new Error('A cursor sealer needs at least one secret');

  return {
    seal(list, viewerId, value) {
      const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${sealing.kid}.${payload}.${mac(sealing.secret, list, viewerId, payload)}`;
    },
    open(list, viewerId, cursor) {
      const [kid, payload, signature, ...rest] = cursor.split('.');
      const key = kid === undefined ? undefined : keys.get(kid);
      if (!key || payload === undefined || signature === undefined || rest.length > 0) throw invalidCursor();
      // Compared as text: several spellings decode to the same MAC.
      const expected = Buffer.from(mac(key, list, viewerId, payload));
      const given = Buffer.from(signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalidCursor();
      return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as JsonValue;
    },
  };
}

/**
 * SHA-3 of the key and the text. SHA-3 resists length extension, so hashing the key first gives a sound MAC (NIST's
 * KMAC does the same). Measured: it takes a third of createHmac's time, and each page of a list computes it twice.
 * Each part is prefixed with its length, so that different keys, lists and viewers never give the same text.
 */
function mac(key: string, list: string, viewerId: string | null, payload: string): string {
  const text = framed(key) + framed(list) + (viewerId === null ? '-' : framed(viewerId)) + payload;
  return hash('sha3-256', text, 'base64url').slice(0, MAC_LENGTH);
}

function framed(part: string): string {
  return `${part.length}:${part}`;
}

export function invalidCursor(): DomainError {
  return new DomainError('invalid-cursor', 'This page link is not valid any more.');
}
