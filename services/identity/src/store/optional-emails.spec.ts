import { newUnsubscribeToken, readLinkToken } from './optional-emails.js';

// Rule: MAIL-6
describe('the token of an unsubscribe link', () => {
  it.each(['subscriptions', 'security'])('names %s and the user', (emails) => {
    const token = newUnsubscribeToken();
    expect(readLinkToken(`${emails}.${token}`)).toEqual({ emails, token });
  });

  it('is random', () => {
    const tokens = Array.from({ length: 1000 }, newUnsubscribeToken);
    expect(new Set(tokens).size).toBe(1000);
  });

  it.each([
    '',
    'subscriptions',
    'subscriptions.',
    'subscriptions.short',
    `welcome.${'a'.repeat(22)}`,
    `constructor.${'a'.repeat(22)}`,
    `security.${'a'.repeat(23)}`,
    `security.${'a'.repeat(21)}=`,
    ` security.${'a'.repeat(22)}`,
    `security.${'a'.repeat(22)}\n`,
  ])('is not %j', (text) => {
    expect(readLinkToken(text)).toBeUndefined();
  });
});
