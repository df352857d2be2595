import { validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText, type TextRule } from '@pulso/platform/text/text-rules';
import type { FastifyRequest } from 'fastify';

/** A text parameter of a query, trimmed; empty when it is not there. Throws validation-failed. */
export function queryText({ query, url }: FastifyRequest, name: string, rule: TextRule): string {
  const given = (query as Record<string, unknown>)[name];
  if (given === undefined) return '';
  if (typeof given !== 'string') {
    throw validationFailed([{ path: name, message: 'Must be given once', code: 'invalid-type' }]);
  }
  if (given.includes('%') && !isDecodable(url)) {
    throw validationFailed([{ path: name, message: 'Must be percent-encoded UTF-8', code: 'invalid-value' }]);
  }
  const { value, problem } = cleanText(given, rule);
  if (problem) throw validationFailed([{ path: name, ...problem }]);
  return value;
}

/** Fastify leaves a value that it cannot decode as it was sent: only the URL tells it from one with a real `%` (HTTP-32). */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
