import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText, type TextRule } from '@pulso/platform/text/text-rules';

/** A text parameter of a query, trimmed; empty when it is not there. Throws validation-failed. */
export function queryText(query: unknown, name: string, rule: TextRule): string {
  const given = (query as Record<string, unknown>)[name];
  if (given === undefined) return '';
  if (typeof given !== 'string') {
    throw validationFailed([{ path: name, message: 'Must be given once', code: 'invalid-type' }]);
  }
  const { value, problem } = cleanText(given, rule);
  if (problem) throw validationFailed([{ path: name, ...problem }]);
  return value;
}
