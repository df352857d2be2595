import { TEXT_LIMITS } from '@pulso/contracts/limits';
import { cleanText } from './text-rules.js';

/**
 * A web address that a user typed, in the form that is stored; undefined unless it is a valid http or https URL of at most
 * 2048 characters, none of them invisible (POST-26).
 */
export function readWebUrl(input: string): string | undefined {
  const { value = '' } = cleanText(input, TEXT_LIMITS.url);
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined;
}
