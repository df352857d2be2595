import { join } from 'node:path';
import { allAddresses } from '@pulso/platform/process/all-addresses';
import { type DataDirectory, type Secrets, readJson, writeWhole } from './data-directory.js';
import { lastPortOrFree } from './known-port.js';
import type { Settings } from './settings.js';
import { StartError } from './start-error.js';

/** What is kept of the simulator beside its own data. */
interface Kept {
  /** Of the last start: pages of checkouts that are open have it in their addresses. */
  port: number;
  /** Where it listens while it runs; only then. */
  runsAt?: string;
  /** Whether the coaches of the demo can be paid. */
  demoIsPaid?: boolean;
}

/** Who opens Pulso by one of these is on this machine. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

const fileOf = (dataDirectory: string) => join(dataDirectory, 'simulator.json');

const keep = (dataDirectory: string, change: Partial<Kept> & Pick<Kept, 'port'>) =>
  writeWhole(fileOf(dataDirectory), { ...readJson<Kept>(fileOf(dataDirectory)), ...change });

export interface Simulator {
  /** Where a browser finds its pages. */
  url: string;
  /** The settings of billing with which it pays through the simulator. */
  environment: Record<string, string>;
  /** Lets an account be paid, as if its coach had filled in the form. */
  onboard(accountId: string): void;
  demoIsPaid: boolean;
  noteDemoIsPaid(): void;
  close(): Promise<void>;
}

/** Starts the simulator of Stripe in this process, on its data in the data directory (SUBS-2). Throws StartError. */
export async function startSimulator(
  settings: Pick<Settings, 'port' | 'publicUrl' | 'simulatorPort'>,
  { path, secrets }: Pick<DataDirectory, 'path' | 'secrets'>,
  { STRIPE_SECRET_KEY }: NodeJS.ProcessEnv,
): Promise<Simulator> {
  const before = readJson<Kept>(fileOf(path));
  const port = settings.simulatorPort || (await lastPortOrFree(before?.port));
  const { hostname } = new URL(settings.publicUrl);
  const url = `http://${hostname}:${port}`;
  // Nobody else loads it.
  const { startStripeSimulator } = await import('@pulso/stripe-simulator/simulator');
  // A key that is given is billing's, too, which refuses that of a real account.
  const { webhookSecret, connectWebhookSecret } = secrets.stripeSimulator;
  const secretKey = STRIPE_SECRET_KEY || secrets.stripeSimulator.secretKey;
  const running = await startStripeSimulator({
    port,
    host: LOOPBACK.has(hostname) ? '127.0.0.1' : allAddresses(),
    publicUrl: url,
    dataFile: join(path, 'stripe-simulator.json'),
    webhookUrl: `http://127.0.0.1:${settings.port}/api/stripe/webhook`,
    secretKey,
    webhookSecret,
    connectWebhookSecret,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new StartError(`SIMULATOR_PORT: ${port} is taken by another program.`);
  });
  const runsAt = `http://127.0.0.1:${port}`;
  keep(path, { port, runsAt });
  let closing: Promise<void> | undefined;
  return {
    url,
    environment: { ...simulatorEnvironment(runsAt, secrets), STRIPE_SECRET_KEY: secretKey },
    onboard: (accountId) => void running.controls.onboard(accountId),
    demoIsPaid: before?.demoIsPaid === true,
    noteDemoIsPaid: () => keep(path, { port, demoIsPaid: true }),
    close() {
      if (!closing) keep(path, { port, runsAt: undefined });
      return (closing ??= running.close());
    },
  };
}

const simulatorEnvironment = (url: string, { stripeSimulator }: Pick<Secrets, 'stripeSimulator'>) => ({
  PAYMENTS: 'simulator',
  STRIPE_API_URL: url,
  STRIPE_SECRET_KEY: stripeSimulator.secretKey,
  STRIPE_WEBHOOK_SECRETS: stripeSimulator.webhookSecret,
  STRIPE_CONNECT_WEBHOOK_SECRETS: stripeSimulator.connectWebhookSecret,
});

/** One that was killed may have left where it ran. */
export function forgetRunningSimulator(dataDirectory: string): void {
  const before = readJson<Kept>(fileOf(dataDirectory));
  if (before?.runsAt !== undefined) keep(dataDirectory, { port: before.port, runsAt: undefined });
}

/** The address of the simulator of the instance that runs on a data directory, if it has one. */
export const runningSimulator = (dataDirectory: string): string | undefined =>
  readJson<Kept>(fileOf(dataDirectory))?.runsAt;

/** The settings of billing's commands beside a running instance with the simulator; none beside another. */
export function environmentOfRunning({
  path,
  secrets,
}: Pick<DataDirectory, 'path' | 'secrets'>): Record<string, string> {
  const runsAt = runningSimulator(path);
  return runsAt === undefined ? {} : simulatorEnvironment(runsAt, secrets);
}
