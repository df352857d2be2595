import { negotiate } from '@fastify/accept-negotiator';
import { type Language, LANGUAGES, languageOf } from '@pulso/contracts/limits';

const REGIONS = /([a-z]{1,8})(?:-[a-z0-9]{1,8})+/g;

/**
 * The language of ours that a request prefers (RFC 9110, 12.5.4), whatever the region; the first of ours where the
 * header prefers none.
 */
export function preferredLanguage(header: string | undefined): Language {
  const languages = (header ?? '').toLowerCase().replace(REGIONS, '$1');
  return languageOf(negotiate(languages, [...LANGUAGES]) ?? undefined);
}
