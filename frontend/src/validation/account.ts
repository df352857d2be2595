import { LIMITS } from '../api/limits.js';
import type { PasswordPolicy } from '../api/types.js';
import type { Texts } from '../i18n/texts.js';
import { writtenLine } from '../text/written.js';
import { hasInvisible, isBlank, lengthError } from './text.js';
import { ruleTexts } from './texts.js';

const { fields, password: labels, rules } = ruleTexts();

/** Applies until the server's policy has arrived (ACCT-6, ACCT-7). */
export const DEFAULT_POLICY: PasswordPolicy = {
  minLength: 6,
  maxLength: 128,
  requireLowercase: false,
  requireUppercase: false,
  requireNumeric: false,
  requireNonAlphanumeric: false,
};

// Each rule answers with the text to show, or undefined when all is well.

export function nameError(name: string, texts: Texts): string | undefined {
  if (isBlank(name)) return rules.required(fields.name);
  if (hasInvisible(name)) return rules.invisible;
  return lengthError(fields.name, writtenLine(name), LIMITS.nameLength, texts);
}

/** The server's own pattern (PEOPLE-6). */
export function usernameError(username: string): string | undefined {
  if (isBlank(username)) return rules.required(fields.username);
  const { usernameMinLength: shortest, usernameLength: longest } = LIMITS;
  return new RegExp(LIMITS.usernamePattern).test(username) ? undefined : rules.username(shortest, longest);
}

/**
 * Letters that are no letter of a–z with a mark, as they are written without them. Those of identity's username.ts;
 * e2e/api/generated-usernames.spec.ts compares them.
 */
const TRANSLITERATED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ŋ: 'ng',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ŧ: 't',
};

/** Lower-case letters in a–z as far as they are Latin; others stay. */
export const inLatin = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => TRANSLITERATED[letter] ?? letter);

/** A username made of a name as the server would (PEOPLE-7); undefined if that is none. */
export function suggestedUsername(name: string): string | undefined {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const hyphenated = inLatin(folded)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.usernameLength);
  const username = hyphenated.replace(/^-+|-+$/g, '');
  return username.length < LIMITS.usernameMinLength ? undefined : username;
}

export function emailError(email: string, texts: Texts): string | undefined {
  if (isBlank(email)) return rules.required(fields.email);
  const tooLong = lengthError(fields.email, email, LIMITS.emailLength, texts);
  if (tooLong) return tooLong;
  return new RegExp(LIMITS.emailPattern).test(email) ? undefined : rules.email;
}

export const bioError = (bio: string, texts: Texts): string | undefined =>
  lengthError(fields.bio, bio, LIMITS.bioLength, texts);

export const specialtyError = (specialty: string, texts: Texts): string | undefined =>
  lengthError(texts.account.specialty, writtenLine(specialty), LIMITS.specialtyLength, texts);

export function specialtiesError(specialties: readonly string[], texts: Texts): string | undefined {
  if (specialties.length > LIMITS.specialties) return rules.tooManySpecialties(LIMITS.specialties);
  return specialties.map((one) => specialtyError(one, texts)).find((error) => error !== undefined);
}

/** The first rule of the policy that the password breaks. Passwords are not trimmed; ligatures count as their letters, accents not (ACCT-8). */
export function passwordError(typed: string, policy: PasswordPolicy): string | undefined {
  const password = typed.normalize('NFKC');
  const length = [...password].length;
  if (length === 0) return rules.required(fields.password);
  if (length < policy.minLength) return rules.passwordTooShort(policy.minLength);
  if (length > policy.maxLength) return rules.passwordTooLong(policy.maxLength);
  if (policy.requireLowercase && !/\p{Ll}/u.test(password)) return rules.passwordLowercase;
  if (policy.requireUppercase && !/\p{Lu}/u.test(password)) return rules.passwordUppercase;
  if (policy.requireNumeric && !/\p{N}/u.test(password)) return rules.passwordNumeric;
  if (policy.requireNonAlphanumeric && !/[^\p{L}\p{N}]/u.test(password)) return rules.passwordNonAlphanumeric;
  return undefined;
}

export function confirmPasswordError(password: string, confirmation: string): string | undefined {
  if (confirmation === '') return rules.required(labels.confirm);
  return password.normalize('NFKC') === confirmation.normalize('NFKC')
    ? undefined
    : rules.passwordsDoNotMatch;
}
