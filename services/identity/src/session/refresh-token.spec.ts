import { randomBytes } from 'node:crypto';
import { generateSigningKey, publicJwks } from '@pulso/platform/auth/access-token';
import { newId } from '@pulso/platform/ids/uuid-v7';
import type { IdentitySettings } from '../settings.js';
import { hashRefreshToken, RefreshTokens } from './refresh-token.js';

// Rule: ACCT-19
describe('a refresh token', () => {
  const id = newId();
  let key: Key;
  let otherKey: Key;
  let tokens: RefreshTokens;
  let others: RefreshTokens;

  beforeAll(async () => {
    [key, otherKey] = [await generateSigningKey(), await generateSigningKey()];
    [tokens, others] = [refreshTokens(key), refreshTokens(otherKey)];
  });

  const changed = (token: string, index: number) => {
    const bytes = Buffer.from(token, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
    return bytes.toString('base64url');
  };

  it('names its session, and is another one each time', () => {
    const issued = Array.from({ length: 50 }, () => tokens.issue(id));
    expect(new Set(issued).size).toBe(50);
    for (const token of issued) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(tokens.sessionIdOf(token)).toBe(id);
      expect(hashRefreshToken(token)).toHaveLength(32);
    }
  });

  it('names none with any byte changed', () => {
    const token = tokens.issue(id);
    for (let index = 0; index < 32; index += 1) {
      expect([index, tokens.sessionIdOf(changed(token, index))]).toEqual([index, undefined]);
    }
  });

  it.each([
    ['written by somebody who knows the session', () => named(id)],
    ['of a version before', () => randomBytes(32).toString('base64url')],
    ['of zeros', () => 'A'.repeat(43)],
    ['too short', () => 'abc'],
    ['empty', () => ''],
    ['too long', () => tokens.issue(id).repeat(2)],
    ['of another installation', () => others.issue(id)],
  ])('names none when it is %s', (_, token) => {
    expect(tokens.sessionIdOf(token())).toBeUndefined();
  });

  it('is known by every key that access tokens are verified with', () => {
    const later = refreshTokens(otherKey, key);
    expect(later.sessionIdOf(tokens.issue(id))).toBe(id);
    expect(tokens.sessionIdOf(later.issue(id))).toBeUndefined();
    expect(others.sessionIdOf(later.issue(id))).toBe(id);
  });

  it('cannot be written with what is published of the keys', () => {
    const [published] = publicJwks([key]);
    const forged = refreshTokens({ ...published!, d: published!.x }).issue(id);
    expect(tokens.sessionIdOf(forged)).toBeUndefined();
  });
});

type Key = IdentitySettings['ACCESS_TOKEN_KEYS'][number];

function refreshTokens(...keys: Key[]): RefreshTokens {
  return new RefreshTokens({ ACCESS_TOKEN_KEYS: keys } as IdentitySettings);
}

/** A token as it was before it had a MAC: the id of a session, and chance. */
function named(sessionId: string): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, randomBytes(16)]).toString('base64url');
}
