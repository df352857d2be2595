import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { OutboxRelay, type OutboxRelayOptions } from '../../src/events/outbox/outbox.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { FakeBus, FakeStore } from './fake-outbox.js';

/** Longer than any test: a pass is never caused by polling. */
export const NEVER_MS = 3_600_000;

/** A store and a bus in memory, and relays between them that share the store's time. */
export function relayHouse(options: Partial<OutboxRelayOptions> = {}) {
  const store = new FakeStore();
  const bus = new FakeBus();
  const registry = new Registry();
  const logged: { level: number; msg: string; [field: string]: unknown }[] = [];
  const write = (line: unknown, _: unknown, done: () => void) => {
    logged.push(JSON.parse(String(line)));
    done();
  };
  const logger = pino(new Writable({ write }));
  const fixed = { bus, registry, logger, pollMs: NEVER_MS, now: store.now, ...options };
  const relay = (name = 'replica', changes: Partial<OutboxRelayOptions> = {}) => {
    const made = new OutboxRelay({ ...fixed, sources: [store.replica(name)], ...changes });
    onTestEnd(() => made.stop());
    return made;
  };
  /** The sum over all labels. */
  const metric = async (name: string) => {
    const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  return { store, bus, logged, relay, metric, options: { ...fixed, sources: [] } };
}

/** Runs exactly one pass. */
export async function pass(relay: OutboxRelay): Promise<void> {
  relay.start();
  await relay.stop();
}
