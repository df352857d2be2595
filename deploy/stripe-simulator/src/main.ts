import { loadConfig } from '@pulso/platform/process/load-config';
import { z } from 'zod';
import { startStripeSimulator } from './simulator.js';

const secrets = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.string().regex(/^whsec_\S+$/, 'must be one or two of the form whsec_…')).max(2));

const settings = loadConfig(
  z.object({
    SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535),
    SIMULATOR_HOST: z.string().optional(),
    SIMULATOR_DATA_FILE: z.string().optional(),
    SIMULATOR_WEBHOOK_URL: z.url(),
    SIMULATOR_URL: z.url().optional(),
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(?:sk|rk)_test_\S+$/, 'must be a test key: the simulator takes no money'),
    STRIPE_WEBHOOK_SECRETS: secrets,
    STRIPE_CONNECT_WEBHOOK_SECRETS: secrets,
  }),
  process.env,
);

const simulator = await startStripeSimulator({
  port: settings.SIMULATOR_PORT,
  host: settings.SIMULATOR_HOST,
  dataFile: settings.SIMULATOR_DATA_FILE,
  webhookUrl: settings.SIMULATOR_WEBHOOK_URL,
  publicUrl: settings.SIMULATOR_URL,
  secretKey: settings.STRIPE_SECRET_KEY,
  webhookSecret: settings.STRIPE_WEBHOOK_SECRETS,
  connectWebhookSecret: settings.STRIPE_CONNECT_WEBHOOK_SECRETS,
});
const end = () => void simulator.close();
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdout.write(`Stripe simulator on ${simulator.url}, controls on ${simulator.url}/_control\n`);
