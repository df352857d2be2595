import { PATTERNS, TEXT_LIMITS, USERNAME_MIN } from '@pulso/contracts/limits';
import { transliterated } from '@pulso/platform/text/comparison-key';
import { type CleanText, cleanText } from '@pulso/platform/text/text-rules';

const USERNAME_MAX = TEXT_LIMITS.username.max;

const USERNAME_PATTERN = new RegExp(PATTERNS.username);

/** A username in the form that is stored and looked up: trimmed and lower-cased (PEOPLE-6). */
export function normaliseUsername(input: string): CleanText {
  // Longer than any username, so that an overlong one gets the message about the username format.
  const text = cleanText(input, { ...TEXT_LIMITS.username, max: 254 });
  return text.problem ? text : { value: text.value.toLowerCase() };
}

/** Whether a normalised text is 3 to 30 of a–z, 0–9 and inner hyphens. Does not check reserved or taken names. */
export function isUsername(normalised: string): boolean {
  return USERNAME_PATTERN.test(normalised) && normalised === normalised.trim().toLowerCase();
}

/**
 * The username generated when none was given (PEOPLE-7): the name, else the part of the e-mail address before the @, in
 * a–z and lower-cased, with a hyphen for each run of other characters than letters and digits, and no hyphens at the ends. A
 * result too short for a username gets the prefix `user-`; an empty one becomes `user-` and `fallback`.
 */
export function generateUsername(source: { name: string; email: string }, fallback: string): string {
  const base = slug(source.name) || slug(source.email.split('@')[0] ?? '');
  if (base.length >= USERNAME_MIN) return base;
  return `user-${base || slug(fallback)}`.slice(0, USERNAME_MAX);
}

/** `base`, then `base-1`, `base-2`, … without end, each a valid username; the caller takes the first free one. */
export function* usernameCandidates(base: string): Generator<string, never> {
  yield base;
  for (let number = 1; ; number += 1) {
    const suffix = `-${number}`;
    yield trimHyphens(base.slice(0, USERNAME_MAX - suffix.length)) + suffix;
  }
}

function slug(text: string): string {
  return trimHyphens(trimHyphens(transliterated(text).replace(/[^a-z0-9]+/g, '-')).slice(0, USERNAME_MAX));
}

function trimHyphens(text: string): string {
  return text.replace(/^-+|-+$/g, '');
}
