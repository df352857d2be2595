import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { newSecrets } from './data-directory.js';
import { readSettings } from './settings.js';
import {
  environmentOfRunning,
  forgetRunningSimulator,
  runningSimulator,
  startSimulator,
} from './simulator.js';

const settings = readSettings({ PAYMENTS: 'simulator', PORT: '18080' });

// Rule: SUBS-2
describe('the simulator of Stripe beside npm start', () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'pulso-simulator-'));
    onTestEnd(() => rmSync(path, { recursive: true, force: true }));
  });

  async function start(env: NodeJS.ProcessEnv = {}, given = settings) {
    const secrets = await newSecrets();
    const simulator = await startSimulator(given, { path, secrets }, env);
    onTestEnd(() => simulator.close());
    return { simulator, secrets };
  }
  const answers = async (url: string, key: string) =>
    (await fetch(`${url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } })).status;

  it('answers whoever has the settings that billing gets', async () => {
    const { simulator, secrets } = await start();
    const { STRIPE_API_URL: url, STRIPE_SECRET_KEY: key, ...rest } = simulator.environment;
    expect(await answers(url!, key!)).toBe(200);
    expect(await answers(url!, 'sk_test_another')).toBe(401);
    expect(rest).toEqual({
      PAYMENTS: 'simulator',
      STRIPE_WEBHOOK_SECRETS: secrets.stripeSimulator.webhookSecret,
      STRIPE_CONNECT_WEBHOOK_SECRETS: secrets.stripeSimulator.connectWebhookSecret,
    });
    expect(simulator.url).toBe(`http://localhost:${new URL(url!).port}`);
  });

  it('tells commands where it runs, while it does', async () => {
    const { simulator, secrets } = await start();
    expect(environmentOfRunning({ path, secrets })).toEqual(simulator.environment);
    await simulator.close();
    expect([runningSimulator(path), environmentOfRunning({ path, secrets })]).toEqual([undefined, {}]);
  });

  it('is forgotten where it was killed, and another start has none', async () => {
    await start();
    expect(runningSimulator(path)).toBeDefined();
    forgetRunningSimulator(path);
    expect(runningSimulator(path)).toBeUndefined();
  });

  it('keeps its port, which the addresses of its pages have, unless that is taken', async () => {
    const first = await start();
    await first.simulator.close();
    const again = await start();
    expect(again.simulator.url).toBe(first.simulator.url);
    await again.simulator.close();
    const other = createServer();
    onTestEnd(() => new Promise((resolve) => other.close(resolve)));
    const port = Number(new URL(first.simulator.url).port);
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    expect((await start()).simulator.url).not.toBe(first.simulator.url);
    await expect(start({}, { ...settings, simulatorPort: port })).rejects.toThrow(
      `SIMULATOR_PORT: ${port} is taken by another program.`,
    );
  });

  it('remembers that the coaches of the demo can be paid', async () => {
    const { simulator } = await start();
    expect(simulator.demoIsPaid).toBe(false);
    simulator.noteDemoIsPaid();
    await simulator.close();
    expect((await start()).simulator.demoIsPaid).toBe(true);
  });

  it('takes a key that is given, so that billing refuses that of a real account', async () => {
    const { simulator } = await start({ STRIPE_SECRET_KEY: 'sk_live_given' });
    expect(simulator.environment.STRIPE_SECRET_KEY).toBe('sk_live_given');
  });
});
