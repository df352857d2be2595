import { PATTERNS, TEXT_LIMITS } from '@pulso/contracts/limits';
import { type CleanText, cleanText } from '@pulso/platform/text/text-rules';

const EMAIL_PATTERN = new RegExp(PATTERNS.email);

/** An e-mail address in the form that is stored and compared: trimmed and lower-cased (ACCT-4). */
export function normaliseEmail(input: string): CleanText {
  const text = cleanText(input, TEXT_LIMITS.email);
  return text.problem ? text : { value: text.value.toLowerCase() };
}

/** Whether a normalised address can be an e-mail address. */
export function isEmail(normalised: string): boolean {
  return EMAIL_PATTERN.test(normalised);
}
