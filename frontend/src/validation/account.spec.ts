import { describe, expect, it } from '@jest/globals';
import { texts } from '../i18n/texts.js';
import {
  DEFAULT_POLICY,
  bioError,
  confirmPasswordError,
  emailError,
  nameError,
  passwordError,
  specialtiesError,
  suggestedUsername,
  usernameError,
} from './account.js';
import { isBlank } from './text.js';

describe('text', () => {
  it.each(['', '  \n\t', '\u200b', '\u0000\u200d', '\u2800', '\u115f\ufe0f', '\u0301\u200b\u0323'])(
    '%j is empty',
    (text) => expect(isBlank(text)).toBe(true),
  );
  it.each(['a', ' . ', '👍🏽'])('%j is not', (text) => expect(isBlank(text)).toBe(false));
});

// Rule: UI-48
describe('name', () => {
  it.each([' ', '\u0301\u0301', '\u0301\u3164\u2800', '\ufe0f'])('%j is required', (name) =>
    expect(nameError(name, texts.en)).toBe('Name is required'),
  );
  it.each(['💪', 'é', 'e\u0301', 'é\u00ad', '한', '\u1112\u1161\u11ab'])('may have 80 times %j', (letter) => {
    expect(nameError(letter.repeat(80), texts.en)).toBeUndefined();
    expect(nameError(letter.repeat(81), texts.en)).toBe('Name must be at most 80 characters');
  });
});

// Rule: UI-48
describe('invisible characters in a name', () => {
  it.each(['Ana 👩‍🚒', 'A\u200bna', 'Ana\u202e', 'A\u2800na', 'A\u3164na'])('%j is refused', (name) =>
    expect(nameError(name, texts.en)).toBe('Please leave out combined emoji and invisible characters'),
  );
  it.each(['Ana 💪🏽', 'Ana ❤️', '\ufeffAna', 'Tor\u00adres', 'Ana\u00a0\tTorres'])('%j will do', (name) =>
    expect(nameError(name, texts.en)).toBeUndefined(),
  );
});

describe('username', () => {
  it.each(['abc', 'Ana-Torres', ' a1b ', 'a'.repeat(30)])('%j will do', (username) =>
    expect(usernameError(username)).toBeUndefined(),
  );
  it.each(['ab', '-abc', 'abc-', 'a b c', 'ana_torres', 'ñandu', 'a'.repeat(31)])('%j will not', (username) =>
    expect(usernameError(username)).toBe('Use 3 to 30 of a–z, 0–9 and inner dashes'),
  );
});

describe('email', () => {
  it.each(['ana@example.mx', ' Ana.Ruiz+tag@Sub.Example.MX '])('%j will do', (email) =>
    expect(emailError(email, texts.en)).toBeUndefined(),
  );
  it.each(['ana', 'ana@', '@b', 'a b@c', 'a@b', 'a@b..mx', '.a@b.mx', 'ñ@b.mx', `${'a'.repeat(65)}@b.mx`])(
    '%j will not',
    (email) => expect(emailError(email, texts.en)).toBe('Please enter a valid email address'),
  );
});

describe('password', () => {
  // Rule: ACCT-6
  it('carries the policy’s number', () => {
    expect(passwordError('12345', DEFAULT_POLICY)).toBe('Password must be at least 6 characters');
    expect(passwordError('1234567', { ...DEFAULT_POLICY, minLength: 8 })).toBe(
      'Password must be at least 8 characters',
    );
    expect(passwordError('123456', DEFAULT_POLICY)).toBeUndefined();
  });

  it.each([
    ['requireLowercase', 'ABCDEF', 'abcdef'],
    ['requireUppercase', 'abcdef', 'ABCDEF'],
    ['requireNumeric', 'abcdef', 'abcde1'],
    ['requireNonAlphanumeric', 'abcde1', 'abcde!'],
  ] as const)('%s', (rule, bad, good) => {
    const policy = { ...DEFAULT_POLICY, [rule]: true };
    expect(passwordError(bad, policy)).toMatch(/^Password must contain/);
    expect(passwordError(good, policy)).toBeUndefined();
  });

  it('has a longest length where the policy has one', () =>
    expect(passwordError('1234567', { ...DEFAULT_POLICY, maxLength: 6 })).toBe(
      'Password must be at most 6 characters',
    ));

  // Rule: ACCT-8
  it('has the length of its letters, however they are typed', () => {
    expect(passwordError('n\u0303e\u0301u\u0308', DEFAULT_POLICY)).toBe(
      'Password must be at least 6 characters',
    );
    expect(passwordError('n\u0303'.repeat(128), DEFAULT_POLICY)).toBeUndefined();
    expect(confirmPasswordError('sen\u0303or', 'señor')).toBeUndefined();
    expect(passwordError('ﬃ'.repeat(2), DEFAULT_POLICY)).toBeUndefined();
    expect(passwordError('ﬃ'.repeat(43), DEFAULT_POLICY)).toBe('Password must be at most 128 characters');
    expect(confirmPasswordError('ｓｅｃｒｅｔ', 'secret')).toBeUndefined();
  });

  it('must be repeated', () => {
    expect(confirmPasswordError('secret', 'secret ')).toBe('Passwords do not match');
    expect(confirmPasswordError('secret', 'secret')).toBeUndefined();
  });
});

describe('bio and specialties', () => {
  it('have limits', () => {
    expect(bioError('a'.repeat(2001), texts.en)).toBe('Bio must be at most 2000 characters');
    expect(specialtiesError(Array.from({ length: 21 }, String), texts.en)).toBe(
      'Choose at most 20 specialties',
    );
    expect(specialtiesError(Array.from({ length: 20 }, String), texts.en)).toBeUndefined();
    expect(specialtiesError(['🏊'.repeat(40)], texts.en)).toBeUndefined();
    expect(specialtiesError(['Yoga', '🏊'.repeat(41)], texts.en)).toBe(
      'Specialty must be at most 40 characters',
    );
  });
});

// Rule: PEOPLE-7
describe('a suggested username', () => {
  it.each([
    ['José García', 'jose-garcia'],
    ['Łucja Strøm Straße', 'lucja-strom-strasse'],
    ['Ægir Œdipe Đorđe', 'aegir-oedipe-dorde'],
    ['Guðrún Þór Işıl ẞ', 'gudrun-thor-isil-ss'],
    ['  -Ana  María- ', 'ana-maria'],
    ['Coach No. 1!', 'coach-no-1'],
    ['x'.repeat(29) + ' y', 'x'.repeat(29)],
  ])('made of %j is %j', (name, username) => {
    expect(suggestedUsername(name)).toBe(username);
    expect(usernameError(username)).toBeUndefined();
  });
  it.each(['', 'Al', '山田', '👍'])('is not made of %j', (name) =>
    expect(suggestedUsername(name)).toBeUndefined(),
  );
});
