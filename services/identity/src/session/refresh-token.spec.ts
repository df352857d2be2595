import { randomBytes } from 'node:crypto';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { hashRefreshToken, newRefreshToken, sessionIdOf } from './refresh-token.js';

// Rule: ACCT-19
describe('a refresh token', () => {
  it('names its session, and is another one each time', () => {
    const id = newId();
    const tokens = Array.from({ length: 50 }, () => newRefreshToken(id));
    expect(new Set(tokens).size).toBe(50);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(sessionIdOf(token)).toBe(id);
      expect(hashRefreshToken(token)).toHaveLength(32);
    }
  });

  it.each([
    ['of a version before', Buffer.concat([Buffer.alloc(16, 0xab), randomBytes(16)]).toString('base64url')],
    ['of zeros', 'A'.repeat(43)],
    ['too short', 'abc'],
    ['empty', ''],
    ['too long', newRefreshToken(newId()).repeat(2)],
  ])('names none when it is %s', (_, token) => {
    expect(sessionIdOf(token)).toBeUndefined();
  });
});
