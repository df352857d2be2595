import { TEXT_LIMITS } from '@pulso/contracts/limits';
import { type CleanText, cleanText } from '@pulso/platform/text/text-rules';

// The addresses that browsers accept in an e-mail input (HTML, "valid e-mail address"), restricted to dotted domains
// and without leading, trailing or double dots.
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const EMAIL = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`);

/** An e-mail address in the form that is stored and compared: trimmed and lower-cased (ACCT-4). */
export function normaliseEmail(input: string): CleanText {
  const text = cleanText(input, TEXT_LIMITS.email);
  return text.problem ? text : { value: text.value.toLowerCase() };
}

/** Whether a normalised address can be an e-mail address. */
export function isEmail(normalised: string): boolean {
  return EMAIL.test(normalised);
}
