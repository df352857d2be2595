import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../server/http/api-error.js';
import { refusedAccount } from './refused-account.js';
import { ruleTexts } from './texts.js';

const { rules } = ruleTexts();

describe('the text of a refused field of an account', () => {
  const refused = (code: string, path = 'name') =>
    refusedAccount(
      new ApiError(400, 'invalid-argument', undefined, [{ path, code, message: 'The server’s' }]),
    );

  it.each([
    ['format-character', rules.invisible],
    ['common-password', rules.passwordCommon],
    ['too-long', 'The server’s'],
  ])('for %s', (code, text) => expect(refused(code)).toEqual({ name: text }));

  it('is the whole field’s for an entry of a list', () =>
    expect(refused('too-long', 'specialties.2')).toEqual({ specialties: 'The server’s' }));

  it('is the server’s own for a price below the least one', () =>
    expect(refusedAccount(new ApiError(422, 'price-below-minimum', 'At least $10.'))).toEqual({
      subscriptionPrice: 'At least $10.',
    }));

  it.each([
    ['username-taken', { username: rules.usernameTaken }],
    ['too-many-renames', { username: rules.tooManyRenames }],
    ['too-many-former-usernames', { username: rules.tooManyFormerUsernames }],
    ['wrong-password', { currentPassword: rules.wrongPassword }],
    ['email-already-in-use', { email: rules.emailTaken }],
  ])('is our own for %s', (code, text) =>
    expect(refusedAccount(new ApiError(409, code, undefined))).toEqual(text),
  );
});
