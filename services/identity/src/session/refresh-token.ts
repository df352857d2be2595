import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IdentitySettings } from '../settings.js';

const ID_BYTES = 16;
/** Together with the MAC, which nobody can compute without the key, 128 bits that cannot be guessed. */
const RANDOM_BYTES = 8;
const MAC_BYTES = 8;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
/** Says what the derived keys are for (HKDF, RFC 5869), so that they are no keys of anything else. */
const KEY_PURPOSE = 'pulso refresh token';

/**
 * Refresh tokens as base64url: the id of their session, random bits, and a MAC over both. By these a token that is stored no
 * longer is still known for one of its session, so that its reuse ends that; without the MAC anybody who knows the id of a
 * session, from an old access token for example, could end it. The keys follow from those that sign access tokens: the first
 * one writes, all read.
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: readonly Buffer[];

  constructor({ ACCESS_TOKEN_KEYS }: IdentitySettings) {
    this.keys = ACCESS_TOKEN_KEYS.map(({ d }) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(d!, 'base64url'), '', KEY_PURPOSE, 32)),
    );
  }

  /** A new one of a session. */
  issue(sessionId: string): string {
    const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex');
    const signed = Buffer.concat([id, randomBytes(RANDOM_BYTES)]);
    return Buffer.concat([signed, macOf(signed, this.keys[0]!)]).toString('base64url');
  }

  /**
   * The session that we issued a token for; undefined for a text that is no token of ours, and for tokens from before they had a
   * MAC or whose key is gone. It may end that session and never open one: only a token that is stored does.
   */
  sessionIdOf(token: string): string | undefined {
    if (!TOKEN_PATTERN.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const [signed, mac] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
    if (!this.keys.some((key) => timingSafeEqual(mac, macOf(signed, key)))) return undefined;
    const hex = bytes.toString('hex', 0, ID_BYTES);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

/**
 * The hash that is stored and looked up instead of the token, or undefined for a text that cannot be a token. A plain
 * SHA-256 is enough: 128 bits cannot be guessed from their hash.
 */
export function hashRefreshToken(token: string): Buffer | undefined {
  return TOKEN_PATTERN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}

function macOf(signed: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, MAC_BYTES);
}
