import { isCommonPassword } from './common-passwords.js';
import { passwordProblem, unusablePassword } from './password-policy.js';

const rules = {
  minLength: 6,
  maxLength: 128,
  requireLowercase: false,
  requireUppercase: false,
  requireNumeric: false,
  requireNonAlphanumeric: false,
};

// Rule: ACCT-6
describe('passwordProblem', () => {
  it.each(['abcxyz', 'ñandú!', ' inner  space ', '😀😃😄😁😆😅', 'x'.repeat(128)])('takes %j', (password) => {
    expect(passwordProblem(password, rules)).toBeUndefined();
  });

  it('reports the length limits', () => {
    expect(passwordProblem('abcxy', rules)?.message).toBe('Password must be at least 6 characters');
    expect(passwordProblem('abcdxyz', { ...rules, minLength: 8 })?.message).toBe(
      'Password must be at least 8 characters',
    );
    expect(passwordProblem('x'.repeat(129), rules)?.message).toBe('Password must be at most 128 characters');
  });

  // Rule: ACCT-7
  it('reports a configured maximum', () => {
    expect(passwordProblem('x'.repeat(65), { ...rules, maxLength: 64 })).toEqual({
      code: 'too-long',
      message: 'Password must be at most 64 characters',
    });
    expect(passwordProblem('x'.repeat(64), { ...rules, maxLength: 64 })).toBeUndefined();
  });

  // Rule: ACCT-7
  it.each([
    ['requireLowercase', 'ABC 12 ÑÚ', 'ABC 12 Ñú', 'a lowercase letter', 'missing-lowercase'],
    ['requireUppercase', 'abc 12 ñú', 'abc 12 Ñú', 'an uppercase letter', 'missing-uppercase'],
    ['requireNumeric', 'uphill walk', 'uphill w4lk', 'a number', 'missing-number'],
    ['requireNonAlphanumeric', 'uphillñ12', 'uphill ñ12', 'a special character', 'missing-special-character'],
  ] as const)('requires what %s says', (requirement, lacks, has, what, code) => {
    const policy = { ...rules, [requirement]: true };
    expect(passwordProblem(lacks, policy)).toEqual({
      code,
      message: `Password must contain ${what}`,
    });
    expect(passwordProblem(has, policy)).toBeUndefined();
    expect(passwordProblem(lacks, rules)).toBeUndefined();
  });

  it('counts code points', () => {
    expect(passwordProblem('😀😀😀', rules)?.code).toBe('too-short');
    expect(passwordProblem('😀'.repeat(128), rules)).toBeUndefined();
  });

  it.each(['123456', 'password', 'Password1', 'QWERTY', 'iloveyou', 'contraseña', 'contrasen\u0303a'])(
    'refuses the common %s',
    (password) => {
      expect(passwordProblem(password, rules)).toEqual({
        code: 'common-password',
        message: 'This password is too common. Please choose another one.',
      });
    },
  );
});

it.each([
  ['', 'required'],
  ['      ', 'required'],
  ['\u200b\u200b\u200b\u200b\u200b\u200b', 'required'],
  ['abc\u0000def', 'control-character'],
  ['abcdef\n', 'control-character'],
  ['abc\ud800def', 'lone-surrogate'],
])('no account can have the password %j', (password, code) => {
  expect(unusablePassword(password)?.code).toBe(code);
});

it('contains hundreds of common passwords', () => {
  expect(isCommonPassword('letmein')).toBe(true);
  expect(isCommonPassword('a long walk uphill')).toBe(false);
});
