import { createHash, randomBytes } from 'node:crypto';
import { isId } from '@pulso/platform/ids/uuid-v7';

const ID_BYTES = 16;
const RANDOM_BYTES = 16;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * A new refresh token as base64url: the id of its session, and 128 random bits. By the id a token that is stored no longer is
 * still known for one of its session, so that its reuse ends that.
 */
export function newRefreshToken(sessionId: string): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, randomBytes(RANDOM_BYTES)]).toString('base64url');
}

/**
 * The hash that is stored and looked up instead of the token, or undefined for a text that cannot be a token. A plain
 * SHA-256 is enough: 128 random bits cannot be guessed from their hash.
 */
export function hashRefreshToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

/**
 * The session that a token names; undefined for tokens from before they named one. It proves nothing: whoever knows the id of
 * a session, which its user alone is told, can write such a token. So it may end a session and never open one.
 */
export function sessionIdOf(token: string): string | undefined {
  if (!TOKEN.test(token)) return undefined;
  const hex = Buffer.from(token, 'base64url').toString('hex', 0, ID_BYTES);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(id) ? id : undefined;
}
