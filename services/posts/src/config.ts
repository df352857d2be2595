import { cursorSecrets, publicKeys } from '@pulso/platform/config/json-settings';
import { z } from 'zod';

/** Posts' settings; the keys are the environment's names. */
export const postsConfigSchema = z.object({
  /** With the database's name in its path; several hosts may be named. */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+/, 'must be a mongodb:// URL that names a database'),
  MONGODB_POOL: z.coerce.number().int().min(1).max(200).default(20),
  /** Ed25519 public JWKs as a JSON list: all verify. */
  ACCESS_TOKEN_JWKS: publicKeys,
  /** JSON list of `{ kid, secret }`: the first signs, all verify. */
  CURSOR_SECRETS: cursorSecrets,
});

export type PostsConfig = z.output<typeof postsConfigSchema>;
