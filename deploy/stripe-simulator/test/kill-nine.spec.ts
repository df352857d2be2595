import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import { until } from '@pulso/platform/testing/until';
import { CONNECT_SECRET, Receiver, WEBHOOK_SECRET } from './support/receiver.js';
import { clientOf, SECRET_KEY } from './support/start.js';

const program = join(dirname(fileURLToPath(import.meta.url)), '../src/main.ts');

/** Starts the program as an operator does. */
function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [...TYPESCRIPT, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      SIMULATOR_PORT: '0',
      SIMULATOR_WEBHOOK_URL: 'http://127.0.0.1:9/',
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
      STRIPE_CONNECT_WEBHOOK_SECRETS: CONNECT_SECRET,
      ...env,
    },
  });
  onTestEnd(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  /** Its address, once it listens. */
  const url = () =>
    until(
      () => {
        if (child.exitCode !== null) throw new Error(`the program ended by itself: ${output}`);
        return /on (http:\S+),/.exec(output)?.[1];
      },
      { what: () => `the program's address; it said ${output}` },
    );
  return { url, child, closed, output: () => output };
}

it('kill -9 loses nothing that was answered, and no event', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-simulator-'));
  onTestEnd(() => rmSync(folder, { recursive: true }));
  const receiver = await new Receiver().start();
  const env = { SIMULATOR_DATA_FILE: join(folder, 'data.jsonl'), SIMULATOR_WEBHOOK_URL: receiver.url };
  const answered = new Map<string, string>();
  for (const wanted of [5, 25, 60]) {
    const { url, child, closed } = run(env);
    const stripe = clientOf(await url());
    for (const [idempotencyKey, id] of answered)
      expect((await stripe.customers.create({}, { idempotencyKey })).id).toBe(id);
    let isKilled = false;
    const presser = async (name: string) => {
      for (let number = 0; !isKilled; number++) {
        const idempotencyKey = `${wanted}-${name}-${number}`;
        const answer = await stripe.customers
          .create({}, { idempotencyKey })
          .catch((error: { type: string }) => error.type);
        if (typeof answer !== 'string') answered.set(idempotencyKey, answer.id);
        else expect({ isKilled, answer }).toEqual({ isKilled: true, answer: 'StripeConnectionError' });
        if (answered.size >= wanted && !isKilled) {
          isKilled = true;
          child.kill('SIGKILL');
        }
      }
    };
    await Promise.all(['a', 'b', 'c'].map(presser));
    await closed;
  }
  const url = await run(env).url();
  const known = new Set<string>();
  for await (const { id } of clientOf(url).customers.list({ limit: 100 })) known.add(id);
  expect([...answered.values()].filter((id) => !known.has(id))).toEqual([]);
  const told = () => new Set(receiver.events.map(({ data }) => (data.object as { id: string }).id));
  await until(() => told().size === known.size, {
    what: () => `events of ${known.size} customers, not ${told().size}`,
  });
});

it.each([
  ['STRIPE_SECRET_KEY', 'sk_live_1', 'STRIPE_SECRET_KEY: must be a test key'],
  ['STRIPE_WEBHOOK_SECRETS', 'secret', 'STRIPE_WEBHOOK_SECRETS.0: must be one or two of the form whsec_…'],
  ['STRIPE_CONNECT_WEBHOOK_SECRETS', '', 'STRIPE_CONNECT_WEBHOOK_SECRETS: is not set'],
  ['SIMULATOR_WEBHOOK_URL', 'nowhere', 'SIMULATOR_WEBHOOK_URL: '],
])('does not start with %s=%s', async (name, value, words) => {
  const { child, closed, output } = run({ [name]: value });
  await closed;
  expect(child.exitCode).toBe(1);
  expect(output()).toContain(words);
});

it('ends with SIGTERM', async () => {
  const { url, child, closed } = run({});
  await url();
  child.kill('SIGTERM');
  await closed;
  expect(child.exitCode).toBe(0);
});
