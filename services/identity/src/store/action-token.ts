import { createHash, randomBytes } from 'node:crypto';

/** What the link of a mail does. */
export type ActionKind = 'verify-email' | 'reset-password';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** A token for a mailed link, as base64url, and what is stored of it. */
export interface NewActionToken {
  token: string;
  hash: Buffer;
}

/** 256 random bits. */
export function newActionToken(): NewActionToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: sha256(token) };
}

/**
 * The hash that is stored and looked up instead of the token, or undefined for a text that cannot be a token. A plain SHA-256 is
 * enough: 256 bits cannot be guessed from their hash.
 */
export function hashActionToken(token: string): Buffer | undefined {
  return TOKEN_PATTERN.test(token) ? sha256(token) : undefined;
}

const sha256 = (token: string): Buffer => createHash('sha256').update(token).digest();
