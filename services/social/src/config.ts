import { cursorSecrets, publicKeys } from '@pulso/platform/config/json-settings';
import { z } from 'zod';

/** What the migration and the moderators' command line need. */
export const socialDatabaseSchema = z.object({
  SOCIAL_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
});

/** Social's settings; the keys are the environment's names. */
export const socialConfigSchema = socialDatabaseSchema.extend({
  SOCIAL_DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  /** Ed25519 public JWKs as a JSON list: all verify. */
  ACCESS_TOKEN_JWKS: publicKeys,
  /** JSON list of `{ kid, secret }`: the first signs, all verify. */
  CURSOR_SECRETS: cursorSecrets,
});

export type SocialConfig = z.output<typeof socialConfigSchema>;
