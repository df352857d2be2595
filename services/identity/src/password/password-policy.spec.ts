import { isCommonPassword } from './common-passwords.js';
import { readNewPassword, readPassword } from './password-policy.js';

const rules = {
  minLength: 6,
  maxLength: 128,
  requireLowercase: false,
  requireUppercase: false,
  requireNumeric: false,
  requireNonAlphanumeric: false,
};

const problemOf = (password: string, policy = rules) => readNewPassword(password, policy).problem;

// Rule: ACCT-6
describe('readNewPassword', () => {
  it.each(['abcxyz', 'ñandú!', ' inner  space ', '😀😃😄😁😆😅', 'x'.repeat(128)])('takes %j', (password) => {
    expect(readNewPassword(password, rules)).toEqual({ value: password });
  });

  // Rule: ACCT-8
  it('judges and gives the form that is hashed, however the letters were typed', () => {
    const [composed, decomposed] = ['ñ'.repeat(70), 'n\u0303'.repeat(70)];
    for (const typed of [composed, decomposed]) {
      expect(readNewPassword(typed, rules)).toEqual({ value: composed });
      expect(readPassword(typed)).toEqual({ value: composed });
    }
    const tooLong = { problem: { code: 'too-long', message: 'Password must be at most 128 characters' } };
    for (const typed of ['ñ'.repeat(129), 'n\u0303'.repeat(129)]) {
      expect(readNewPassword(typed, rules)).toEqual(tooLong);
      expect(readPassword(typed)).toEqual(tooLong);
    }
    for (const typed of ['ñéü', 'n\u0303e\u0301u\u0308']) expect(problemOf(typed)?.code).toBe('too-short');
    const special = { ...rules, requireNonAlphanumeric: true };
    for (const typed of ['señales', 'sen\u0303ales']) {
      expect(problemOf(typed, special)?.code).toBe('missing-special-character');
    }
  });

  // Rule: ACCT-8
  it('takes letters of another width, and ligatures, for the letters that they stand for', () => {
    expect(readNewPassword('ｕｐｈｉｌｌ ﬃ', rules)).toEqual({ value: 'uphill ffi' });
    expect(readNewPassword('ﬃﬃ', rules)).toEqual({ value: 'ffiffi' });
    expect(problemOf('ｶﾞｶﾞｶﾞ')?.code).toBe('too-short');
    expect(problemOf('ﬃ'.repeat(43))?.code).toBe('too-long');
    expect(readPassword('ﬃ'.repeat(43))).toEqual({ value: 'ﬃ'.repeat(43) });
  });

  it('reports the length limits', () => {
    expect(problemOf('abcxy')?.message).toBe('Password must be at least 6 characters');
    expect(problemOf('abcdxyz', { ...rules, minLength: 8 })?.message).toBe(
      'Password must be at least 8 characters',
    );
    expect(problemOf('x'.repeat(129))?.message).toBe('Password must be at most 128 characters');
  });

  // Rule: ACCT-7
  it('reports a configured maximum', () => {
    expect(problemOf('x'.repeat(65), { ...rules, maxLength: 64 })).toEqual({
      code: 'too-long',
      message: 'Password must be at most 64 characters',
    });
    expect(problemOf('x'.repeat(64), { ...rules, maxLength: 64 })).toBeUndefined();
  });

  // Rule: ACCT-7
  it.each([
    ['requireLowercase', 'ABC 12 ÑÚ', 'ABC 12 Ñú', 'a lowercase letter', 'missing-lowercase'],
    ['requireUppercase', 'abc 12 ñú', 'abc 12 Ñú', 'an uppercase letter', 'missing-uppercase'],
    ['requireNumeric', 'uphill walk', 'uphill w4lk', 'a number', 'missing-number'],
    ['requireNonAlphanumeric', 'uphillñ12', 'uphill ñ12', 'a special character', 'missing-special-character'],
  ] as const)('requires what %s says', (requirement, lacks, has, what, code) => {
    const policy = { ...rules, [requirement]: true };
    expect(problemOf(lacks, policy)).toEqual({
      code,
      message: `Password must contain ${what}`,
    });
    expect(problemOf(has, policy)).toBeUndefined();
    expect(problemOf(lacks)).toBeUndefined();
  });

  it('counts code points', () => {
    expect(problemOf('😀😀😀')?.code).toBe('too-short');
    expect(problemOf('😀'.repeat(128))).toBeUndefined();
  });

  it.each([
    '123456',
    'password',
    'Password1',
    'QWERTY',
    'iloveyou',
    'contraseña',
    'contrasen\u0303a',
    'ＰＡＳＳＷＯＲＤ',
  ])('refuses the common %s', (password) => {
    expect(problemOf(password)).toEqual({
      code: 'common-password',
      message: 'This password is too common. Please choose another one.',
    });
  });
});

it.each([
  ['', 'required'],
  ['      ', 'required'],
  ['\u200b\u200b\u200b\u200b\u200b\u200b', 'required'],
  ['abc\u0000def', 'control-character'],
  ['abcdef\n', 'control-character'],
  ['abc\ud800def', 'lone-surrogate'],
])('no account can have the password %j', (password, code) => {
  expect(readPassword(password).problem?.code).toBe(code);
});

it('contains hundreds of common passwords', () => {
  expect(isCommonPassword('letmein')).toBe(true);
  expect(isCommonPassword('a long walk uphill')).toBe(false);
});
