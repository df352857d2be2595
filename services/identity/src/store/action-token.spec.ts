import { hashActionToken, newActionToken } from './action-token.js';

// Rule: ACCT-41
describe('the token of a mailed link', () => {
  it('has 256 random bits, and is known by its hash', () => {
    const [one, other] = [newActionToken(), newActionToken()];
    expect(one.token).toMatch(/^[\w-]{43}$/);
    expect(one.token).not.toBe(other.token);
    expect(one.hash).toHaveLength(32);
    expect(one.hash.toString('base64url')).not.toBe(one.token);
    expect(hashActionToken(one.token)).toEqual(one.hash);
    expect(hashActionToken(other.token)).not.toEqual(one.hash);
  });

  it.each(['', 'x', `${'a'.repeat(43)}\n`, ` ${'a'.repeat(42)}`, 'a'.repeat(44), `${'a'.repeat(42)}=`])(
    'is not %j',
    (text) => expect(hashActionToken(text)).toBeUndefined(),
  );
});
