import { secret } from '@pulso/platform/process/secret';
import { z } from 'zod';

const webhookSecrets = secret(
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().regex(/^whsec_\S+$/, 'must be one or two of the form whsec_…')).max(2)),
);

/** What the simulator reads from its environment where it is a process of its own. */
export const simulatorSettings = z.object({
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535),
  SIMULATOR_HOST: z.string().optional(),
  SIMULATOR_DATA_FILE: z.string().optional(),
  SIMULATOR_WEBHOOK_URL: z.url(),
  SIMULATOR_URL: z.url().optional(),
  STRIPE_SECRET_KEY: secret(
    z.string().regex(/^(?:sk|rk)_test_\S+$/, 'must be a test key: the simulator takes no money'),
  ),
  STRIPE_WEBHOOK_SECRETS: webhookSecrets,
  STRIPE_CONNECT_WEBHOOK_SECRETS: webhookSecrets,
});
