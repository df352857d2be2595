import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { PASSWORD, PASSWORD_REQUIREMENTS, REFUSALS } from '@pulso/contracts/limits';
import { cleanText, codePointLength, isBlank } from '@pulso/platform/text/text-rules';
import { isCommonPassword } from './common-passwords.js';

export interface PasswordProblem {
  code: FieldErrorCode;
  message: string;
}

type Requirement = keyof typeof PASSWORD_REQUIREMENTS;

const LACKS: Readonly<Record<Requirement, FieldErrorCode>> = {
  requireLowercase: 'missing-lowercase',
  requireUppercase: 'missing-uppercase',
  requireNumeric: 'missing-number',
  requireNonAlphanumeric: 'missing-special-character',
};

/** The reason why `password` must not be set, or undefined (ACCT-6, ACCT-7). */
export function passwordProblem(password: string, policy: PasswordPolicy): PasswordProblem | undefined {
  const unusable = unusablePassword(password);
  if (unusable) return unusable;
  const length = codePointLength(password);
  if (length < policy.minLength) {
    return { code: 'too-short', message: REFUSALS.passwordTooShort(policy.minLength) };
  }
  if (length > policy.maxLength) {
    return { code: 'too-long', message: REFUSALS.passwordTooLong(policy.maxLength) };
  }
  const requirements = Object.keys(PASSWORD_REQUIREMENTS) as Requirement[];
  const missing = requirements.find((one) => policy[one] && !PASSWORD_REQUIREMENTS[one].test(password));
  if (missing) return { code: LACKS[missing], message: REFUSALS.passwordLacks[missing] };
  if (isCommonPassword(password)) {
    return { code: 'common-password', message: 'This password is too common. Please choose another one.' };
  }
  return undefined;
}

/** The reason why no account can have `password` under any policy; a login checks this before it computes a hash. */
export function unusablePassword(password: string): PasswordProblem | undefined {
  if (password === '' || (isBlank(password) && !/\p{Cc}/u.test(password))) {
    return { code: 'required', message: REFUSALS.required('password') };
  }
  // Passwords are not trimmed, so the text rules are applied with a visible character at each end.
  const { problem } = cleanText(`|${password}|`, { max: PASSWORD.max + 2, multiline: false, joiners: true });
  if (problem?.code === 'too-long') {
    return { code: 'too-long', message: REFUSALS.passwordTooLong(PASSWORD.max) };
  }
  return problem;
}
