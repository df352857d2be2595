import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new opaque refresh token: 256 random bits as base64url. */
export function newRefreshToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * The hash that is stored and looked up instead of the token, or undefined for a text that cannot be a token. A plain
 * SHA-256 is enough: 256 random bits cannot be guessed from their hash.
 */
export function hashRefreshToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}
