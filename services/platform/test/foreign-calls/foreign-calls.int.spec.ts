import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aPostgresDatabase } from '../../testing/databases.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { outcome } from '../../testing/outcomes.js';
import { killWhenItSays } from '../process/kill-when-it-says.js';
import { GIVE_UP_AFTER_MS, openCharges, type Step } from './charges.js';

const program = join(dirname(fileURLToPath(import.meta.url)), 'killed-charge.ts');
const MINUTE = 60_000;
const IN_PROGRESS = 'conflict idempotency-in-progress';

/** A fake foreign system that acts once per key and counts its effects. */
class Foreign {
  readonly effects = new Map<string, number>();
  calls = 0;
  /** The answers of the next calls, which then have no effect. */
  readonly statuses: number[] = [];
  readonly server: Server = createServer((request, response) => {
    this.calls += 1;
    const status = this.statuses.shift() ?? 200;
    const key = request.headers['idempotency-key'] as string;
    // 500 stands for an answer that is lost after the effect.
    if (status !== 402 && status !== 503 && !this.effects.has(key))
      this.effects.set(key, this.effects.size + 1);
    response.writeHead(status).end(JSON.stringify({ id: `charge-${this.effects.get(key)}` }));
  });

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
let foreign: Foreign;
let clock: ManualClock;
let service: Awaited<ReturnType<typeof openCharges>>;

beforeEach(async () => {
  database = await aPostgresDatabase('calls');
  onTestEnd(() => database.drop());
  foreign = new Foreign();
  onTestEnd(() => foreign.close());
  await foreign.listen();
  clock = new ManualClock(Date.now());
  service = await openCharges(database.url, foreign.url, clock);
  onTestEnd(() => service.close());
});

const recover = (stopping = new AbortController().signal) => service.calls.recover(stopping);
const charge = (key = 'order-1', amount = 5) => service.charges.run(key, { amount });
const states = async () =>
  (await database.pool.query<{ state: string }>('SELECT state FROM foreign_calls')).rows.map(
    ({ state }) => state,
  );

/** Lets a separate process charge until the step, and kills it there. */
const killAt = (step: Step) =>
  killWhenItSays(step, { file: program, args: [database.url, foreign.url, step] });

it.each<[Step, number]>([
  ['stored', 0],
  ['called', 1],
])('has one effect when the process is killed after %s', async (step, before) => {
  await killAt(step);
  expect(foreign.effects.size).toBe(before);
  expect(await states()).toEqual(['pending']);
  expect(await outcome(charge())).toBe(IN_PROGRESS);
  // While the process might be alive, no other process makes the call.
  await recover();
  expect(foreign.calls).toBe(before);
  clock.advance(2 * MINUTE);
  await Promise.all([recover(), recover()]);
  expect(await states()).toEqual(['done']);
  expect([...foreign.effects]).toEqual([['order-1', 1]]);
  expect(foreign.calls).toBe(before + 1);
  expect(await charge()).toEqual({ id: 'charge-1' });
  expect(foreign.calls).toBe(before + 1);
});

it('answers later callers like the first one, and refuses a key with another request', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => outcome(charge())));
  expect(answers.filter((answer) => answer === 'resolved')).not.toHaveLength(0);
  expect(answers.filter((answer) => answer !== 'resolved' && answer !== IN_PROGRESS)).toEqual([]);
  expect(await charge()).toEqual({ id: 'charge-1' });
  expect(await outcome(charge('order-1', 6))).toBe('unprocessable idempotency-key-reused');
  expect(foreign.calls).toBe(1);
});

it('keeps a refusal', async () => {
  foreign.statuses.push(402);
  const declined = 'payment-required payment-required';
  expect([await outcome(charge()), await outcome(charge())]).toEqual([declined, declined]);
  clock.advance(10 * MINUTE);
  await recover();
  expect([foreign.calls, await states()]).toEqual([1, ['failed']]);
});

it('calls again after growing pauses while the outcome is unknown', async () => {
  foreign.statuses.push(500, 503, 503);
  expect(await outcome(charge())).toBe('500');
  expect(await outcome(charge())).toBe(IN_PROGRESS);
  for (const [seconds, calls] of [
    [1, 1],
    [1, 2],
    [3, 2],
    [1, 3],
    [8, 4],
  ] as const) {
    clock.advance(seconds * 1_000);
    await recover();
    expect(foreign.calls).toBe(calls);
  }
  expect([[...foreign.effects], await states()]).toEqual([[['order-1', 1]], ['done']]);
});

it('ends the recovery after the current call when the service stops', async () => {
  foreign.statuses.push(503, 503);
  for (const key of ['order-1', 'order-2']) expect(await outcome(charge(key))).toBe('503');
  clock.advance(2 * MINUTE);
  const stop = new AbortController();
  foreign.server.once('request', () => stop.abort());
  await recover(stop.signal);
  expect([foreign.calls, (await states()).toSorted()]).toEqual([3, ['done', 'pending']]);
  await recover();
  expect([foreign.calls, await states()]).toEqual([4, ['done', 'done']]);
});

it('gives up before the foreign system may have forgotten the key', async () => {
  foreign.statuses.push(500);
  expect(await outcome(charge())).toBe('500');
  clock.advance(GIVE_UP_AFTER_MS);
  await recover();
  expect([foreign.calls, await states()]).toEqual([1, ['abandoned']]);
  expect(await outcome(charge())).toBe('unavailable unavailable');
});

it('removes calls that are a month old and whose outcome is known, and no others', async () => {
  foreign.statuses.push(500);
  expect(await outcome(charge('order-1'))).toBe('500');
  await charge('order-2');
  clock.advance(30 * 24 * 60 * MINUTE - 1);
  await service.calls.purge(new AbortController().signal);
  expect(await states()).toHaveLength(2);
  clock.advance(1);
  await service.calls.purge(new AbortController().signal);
  expect(await states()).toEqual(['pending']);
});
