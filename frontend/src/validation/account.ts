import { LIMITS } from '../api/limits.js';
import type { PasswordPolicy } from '../api/types.js';
import type { Messages } from '../i18n/messages.js';
import { codePoints, hasInvisible, isBlank } from './text.js';

/** What applies until the server's policy is known (product.md section 5; decisions 14). */
export const DEFAULT_POLICY: PasswordPolicy = {
  minLength: 6,
  maxLength: 128,
  requireLowercase: false,
  requireUppercase: false,
  requireNumeric: false,
  requireNonAlphanumeric: false,
};

/** Each rule answers with the text to show, or undefined when all is well. */
type Verdict = string | undefined;

export function nameError(name: string, messages: Messages): Verdict {
  const { account, validation } = messages;
  if (isBlank(name)) return validation.required(account.name);
  if (hasInvisible(name)) return validation.invisible;
  if (codePoints(name) > LIMITS.nameLength) return validation.tooLong(account.name, LIMITS.nameLength);
  return undefined;
}

/** a–z, 0–9 and inner hyphens, after trimming and lower-casing (decisions 9). */
export function usernameError(username: string, messages: Messages): Verdict {
  const { account, validation } = messages;
  if (isBlank(username)) return validation.required(account.username);
  const { usernameMinLength: shortest, usernameLength: longest } = LIMITS;
  const length = codePoints(username);
  const wellFormed = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(username.trim().toLowerCase());
  return wellFormed && length >= shortest && length <= longest
    ? undefined
    : validation.username(shortest, longest);
}

export function emailError(email: string, messages: Messages): Verdict {
  const { account, validation } = messages;
  if (isBlank(email)) return validation.required(account.email);
  if (codePoints(email) > LIMITS.emailLength) return validation.tooLong(account.email, LIMITS.emailLength);
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : validation.email;
}

export function bioError(bio: string, messages: Messages): Verdict {
  return codePoints(bio) > LIMITS.bioLength
    ? messages.validation.tooLong(messages.account.bio, LIMITS.bioLength)
    : undefined;
}

export function specialtiesError(specialties: readonly string[], messages: Messages): Verdict {
  return specialties.length > LIMITS.specialties
    ? messages.validation.tooManySpecialties(LIMITS.specialties)
    : undefined;
}

/** The first rule of the policy the password breaks. Passwords are taken as typed, untrimmed. */
export function passwordError(password: string, policy: PasswordPolicy, messages: Messages): Verdict {
  const { account, validation } = messages;
  const length = [...password].length;
  if (length === 0) return validation.required(account.password);
  if (length < policy.minLength) return validation.passwordTooShort(policy.minLength);
  if (length > policy.maxLength) return validation.passwordTooLong(policy.maxLength);
  if (policy.requireLowercase && !/\p{Ll}/u.test(password)) return validation.passwordLowercase;
  if (policy.requireUppercase && !/\p{Lu}/u.test(password)) return validation.passwordUppercase;
  if (policy.requireNumeric && !/\p{N}/u.test(password)) return validation.passwordNumeric;
  if (policy.requireNonAlphanumeric && !/[^\p{L}\p{N}]/u.test(password))
    return validation.passwordNonAlphanumeric;
  return undefined;
}

export function confirmPasswordError(password: string, confirmation: string, messages: Messages): Verdict {
  const { account, validation } = messages;
  if (confirmation === '') return validation.required(account.confirmPassword);
  return password === confirmation ? undefined : validation.passwordsDoNotMatch;
}
