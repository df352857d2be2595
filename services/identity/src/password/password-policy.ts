import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import type { PasswordPolicy } from '@pulso/contracts/identity/v1/identity';
import { PASSWORD, PASSWORD_REQUIREMENTS, VALIDATION_MESSAGES } from '@pulso/contracts/limits';
import { cleanPassword, codePointLength, isBlank, passwordForm } from '@pulso/platform/text/text-rules';
import type { IdentitySettings } from '../settings.js';
import { isCommonPassword } from './common-passwords.js';

export interface PasswordProblem {
  code: FieldErrorCode;
  message: string;
}

/** A password, or the reason why it is none. */
export type GivenPassword =
  | { value: string; problem?: undefined }
  | { value?: undefined; problem: PasswordProblem };

type Requirement = keyof typeof PASSWORD_REQUIREMENTS;

const MISSING_CODES: Readonly<Record<Requirement, FieldErrorCode>> = {
  requireLowercase: 'missing-lowercase',
  requireUppercase: 'missing-uppercase',
  requireNumeric: 'missing-number',
  requireNonAlphanumeric: 'missing-special-character',
};

/** The rules for a new password (ACCT-6, ACCT-7). */
export const policyOf = (settings: IdentitySettings): PasswordPolicy => ({
  minLength: settings.PASSWORD_MIN_LENGTH,
  maxLength: settings.PASSWORD_MAX_LENGTH,
  requireLowercase: settings.PASSWORD_REQUIRE_LOWERCASE,
  requireUppercase: settings.PASSWORD_REQUIRE_UPPERCASE,
  requireNumeric: settings.PASSWORD_REQUIRE_NUMERIC,
  requireNonAlphanumeric: settings.PASSWORD_REQUIRE_NON_ALPHANUMERIC,
});

/** A password about to be set (ACCT-6, ACCT-7), in the form in which it is judged and hashed (ACCT-8). */
export function readNewPassword(input: string, policy: PasswordPolicy): GivenPassword {
  const given = readPassword(input);
  if (given.problem) return given;
  const value = passwordForm(given.value);
  const problem = policyProblem(value, policy);
  return problem ? { problem } : { value };
}

/** A password that somebody may have under some policy; a login asks before it computes a hash. */
export function readPassword(input: string): GivenPassword {
  const given = cleanPassword(input, PASSWORD.max);
  if (given.problem) {
    const { code, message } = given.problem;
    return {
      problem: {
        code,
        message: code === 'too-long' ? VALIDATION_MESSAGES.passwordTooLong(PASSWORD.max) : message,
      },
    };
  }
  if (!isBlank(given.value)) return given;
  return { problem: { code: 'required', message: VALIDATION_MESSAGES.required('password') } };
}

function policyProblem(password: string, policy: PasswordPolicy): PasswordProblem | undefined {
  const length = codePointLength(password);
  if (length < policy.minLength) {
    return { code: 'too-short', message: VALIDATION_MESSAGES.passwordTooShort(policy.minLength) };
  }
  if (length > policy.maxLength) {
    return { code: 'too-long', message: VALIDATION_MESSAGES.passwordTooLong(policy.maxLength) };
  }
  const requirements = Object.keys(PASSWORD_REQUIREMENTS) as Requirement[];
  const missing = requirements.find((one) => policy[one] && !PASSWORD_REQUIREMENTS[one].test(password));
  if (missing) return { code: MISSING_CODES[missing], message: VALIDATION_MESSAGES.passwordLacks[missing] };
  if (isCommonPassword(password)) {
    return { code: 'common-password', message: 'This password is too common. Please choose another one.' };
  }
  return undefined;
}
