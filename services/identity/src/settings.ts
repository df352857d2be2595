import { PASSWORD } from '@pulso/contracts/limits';
import { ACCESS_TOKEN_MAX_SECONDS } from '@pulso/platform/auth/access-token';
import { privateKeys, publicKeys, sealingKeys } from '@pulso/platform/process/json-settings';
import { settings } from '@pulso/platform/process/settings';
import { z } from 'zod';
import { checkOpenid, openidShape } from './openid/openid-settings.js';

const yesOrNo = z.stringbool('must be true or false').default(false);

/** Identity's own settings; the keys are the environment's names. */
export class IdentitySettings extends settings({
  /** Ed25519 private JWKs as a JSON list: the first signs, all verify. */
  ACCESS_TOKEN_KEYS: privateKeys,
  ACCESS_TOKEN_TTL_SECONDS: z.coerce.number().int().min(30).max(ACCESS_TOKEN_MAX_SECONDS).default(600),
  /** Public Ed25519 JWKs as a JSON list: they verify media's tickets (MEDIA-6). */
  MEDIA_TICKET_JWKS: publicKeys,
  /** Public X25519 JWKs of the mail worker as a JSON list: the first seals what only that may read (MAIL-13). */
  MAIL_SEALING_JWKS: sealingKeys,
  /** Days a refresh token lives unused. */
  REFRESH_TOKEN_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  /** The policy for new passwords (ACCT-6, ACCT-7); lengths in code points. */
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(PASSWORD.min).max(64).default(PASSWORD.min),
  PASSWORD_MAX_LENGTH: z.coerce.number().int().min(64).max(PASSWORD.max).default(PASSWORD.max),
  PASSWORD_REQUIRE_LOWERCASE: yesOrNo,
  PASSWORD_REQUIRE_UPPERCASE: yesOrNo,
  PASSWORD_REQUIRE_NUMERIC: yesOrNo,
  PASSWORD_REQUIRE_NON_ALPHANUMERIC: yesOrNo,
  /** Hashes computed at once; each takes 19 MiB and one thread. */
  PASSWORD_HASH_CONCURRENCY: z.coerce.number().int().min(1).max(16).default(2),
  /** Hashes that may wait; beyond that requests fail with `unavailable`. */
  PASSWORD_HASH_QUEUE: z.coerce.number().int().min(0).max(10_000).default(100),
  ...openidShape,
}) {
  static override check = checkOpenid;
}
