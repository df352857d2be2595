import { PASSWORD, REFUSALS } from '@pulso/contracts/limits';
import { cleanText, codePointLength, isBlank } from '@pulso/platform/text/text-rules';
import { isCommonPassword } from './common-passwords.js';

export interface PasswordRules {
  /** Code points; configuration (ACCT-6). */
  minLength: number;
}

export interface PasswordProblem {
  code: string;
  message: string;
}

/** The reason why `password` must not be set, or undefined (ACCT-6). */
export function passwordProblem(password: string, { minLength }: PasswordRules): PasswordProblem | undefined {
  const unusable = unusablePassword(password);
  if (unusable) return unusable;
  if (codePointLength(password) < minLength) {
    return { code: 'too-short', message: REFUSALS.passwordTooShort(minLength) };
  }
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
    return { code: 'too-long', message: REFUSALS.passwordTooLong };
  }
  return problem;
}
