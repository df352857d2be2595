import { ConfigError, loadConfig } from '@pulso/platform/process/load-config';
import { simulatorSettings } from './settings.js';
import { startStripeSimulator } from './simulator.js';

try {
  await run();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`stripe-simulator: ${error.message}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const settings = loadConfig(simulatorSettings, process.env);
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
}
