import { DataSource } from 'typeorm';
import { drainEvents } from '../../../src/events/drain-events.js';
import type { Consumer } from '../../../src/events/event-bus.js';
import { KafkaBus } from '../../../src/events/kafka/kafka-bus.js';
import { OutboxRelay } from '../../../src/events/outbox.js';
import {
  CreateOutbox1700000000000,
  PostgresOutbox,
  stageEvent,
} from '../../../src/postgres/postgres-outbox.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { aPost } from '../recorder.js';
import { aPostgresDatabase } from '../../../testing/databases.js';
import { logger, openKafkaHouse } from './kafka-fixture.js';

const PER_SECOND = 200;
const SECONDS = 3;
const ROUNDS = 10;

/** In ms. The aim on 2 idle cores is 50 and 250: set these to check it. Nothing is promised beside other suites. */
const P50_MS = Number(process.env.LATENCY_P50_MS ?? Infinity);
const P99_MS = Number(process.env.LATENCY_P99_MS ?? Infinity);
/** Longer than any test lasts: what arrives was not found by polling. */
const NEVER_MS = 600_000;

const now = () => performance.timeOrigin + performance.now();
const percentile = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)]!;

describe('from commit to projection at 200 events a second', () => {
  // One quiet round is enough.
  it(`waits for no poll: at most ${P50_MS} ms for half of them, ${P99_MS} ms for 99 %`, async () => {
    const fixture = await openKafkaHouse(6);
    const database = await aPostgresDatabase('platform');
    await database.pool.query('CREATE TABLE projection (id text PRIMARY KEY, version bigint)');
    const dataSource = new DataSource({
      type: 'postgres',
      url: database.url,
      migrations: [CreateOutbox1700000000000],
    });
    await dataSource.initialize();
    await dataSource.runMigrations();
    const delays: number[] = [];
    const projection: Consumer<{ id: string; version: number }> = {
      group: 'projection',
      topic: postTopic,
      async handle({ id, version }) {
        await database.pool.query('INSERT INTO projection VALUES ($1, $2) ON CONFLICT DO NOTHING', [
          id,
          version,
        ]);
        delays.push(now() - version / 1_000);
      },
    };
    const bus = new KafkaBus({ config: fixture.config, logger });
    bus.subscribe(projection);
    await bus.start();
    const relay = new OutboxRelay({
      sources: [new PostgresOutbox(dataSource)],
      bus: await fixture.bus([]),
      logger,
      pollMs: NEVER_MS,
    });
    relay.start();

    const write = async (id: string) => {
      await dataSource.transaction((manager) =>
        stageEvent(manager, postTopic, aPost({ id, version: Math.round(now() * 1_000) })),
      );
      relay.nudge();
    };
    const round = async (name: string) => {
      delays.length = 0;
      const start = performance.now();
      const writes: Promise<void>[] = [];
      while (writes.length < PER_SECOND * SECONDS) {
        const due = Math.floor(((performance.now() - start) / 1_000) * PER_SECOND);
        while (writes.length < due) writes.push(write(`${name}-${writes.length}`));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await Promise.all(writes);
      await drainEvents({ relays: [relay], bus, timeoutMs: 60_000 });
      const sorted = delays.toSorted((a, b) => a - b);
      expect(sorted.length).toBeGreaterThanOrEqual(PER_SECOND * SECONDS);
      return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
    };
    const rounds: { p50: number; p99: number }[] = [];
    const reached = () => rounds.some(({ p50, p99 }) => p50 <= P50_MS && p99 <= P99_MS);
    try {
      await round('warm-up');
      while (!reached() && rounds.length < ROUNDS) rounds.push(await round(`round-${rounds.length}`));
    } finally {
      // Also after a failure: open connections would keep the whole run from ending.
      await relay.stop();
      await bus.stop();
      await dataSource.destroy();
      await fixture.close();
      await database.drop();
    }
    expect({ reached: reached(), rounds }).toEqual({ reached: true, rounds });
  }, 300_000);
});
