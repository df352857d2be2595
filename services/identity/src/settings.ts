import { privateKeys } from '@pulso/platform/config/json-settings';
import { settings } from '@pulso/platform/config/settings';
import { z } from 'zod';

/** Identity's own settings; the keys are the environment's names. */
export class IdentitySettings extends settings({
  /** Ed25519 private JWKs as a JSON list: the first signs, all verify. */
  ACCESS_TOKEN_KEYS: privateKeys,
  ACCESS_TOKEN_TTL_SECONDS: z.coerce.number().int().min(30).max(3600).default(600),
  /** Days a refresh token lives unused. */
  REFRESH_TOKEN_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  PASSWORD_MIN_LENGTH: z.coerce.number().int().min(6).max(64).default(6),
  /** Hashes computed at once; each takes 19 MiB and one thread. */
  PASSWORD_HASH_CONCURRENCY: z.coerce.number().int().min(1).max(16).default(2),
  /** Hashes that may wait; beyond that requests fail with `unavailable`. */
  PASSWORD_HASH_QUEUE: z.coerce.number().int().min(0).max(10_000).default(100),
}) {}
