import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostState } from '@pulso/contracts/posts/v1/events';
import { postTopic } from '@pulso/contracts/topics/posts';
import { startPostgres } from '@pulso/embedded/postgres/postgres-server';
import { loadConfig } from '@pulso/platform/process/load-config';
import { migrateBus } from '@pulso/platform/events/in-process/bus-schema';
import { drainEvents } from '@pulso/platform/events/outbox/drain-events';
import type { Consumer, EventBus } from '@pulso/platform/events/event-bus';
import { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { createTopics } from '@pulso/platform/events/kafka/create-topics';
import { KafkaBus } from '@pulso/platform/events/kafka/kafka-bus';
import { kafkaConfigSchema } from '@pulso/platform/events/kafka/kafka-config';
import { OutboxRelay } from '@pulso/platform/events/outbox/outbox';
import { createLogger } from '@pulso/platform/logging/logger';
import { CreateLeases1765100000000 } from '@pulso/platform/postgres/create-leases.migration';
import {
  CreateOutbox1700000000000,
  PostgresOutbox,
  stageEvents,
} from '@pulso/platform/postgres/postgres-outbox';
import { systemClock } from '@pulso/platform/time/clock';
import pg from 'pg';
import { DataSource } from 'typeorm';

const PER_SECOND = 200;
const SECONDS = 5;
const ROUNDS = 3;
const DRAIN_MS = 60_000;

/** In ms, except for the ratio. */
interface RoundFigures {
  /** One transaction that inserts one row of the outbox: the yardstick. */
  commit: { p50: number; p99: number };
  /** From the commit until the projection has stored the event. */
  delivery: { p50: number; p99: number };
  /** The deliveries' median in medians of a commit. */
  ratio: number;
}

export interface EventsFigures {
  perSecond: number;
  inProcess: RoundFigures[];
  /** Missing where no broker was given. */
  kafka?: RoundFigures[];
}

const logger = createLogger({ service: 'bench', level: 'silent' });
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
const percentiles = (values: number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });

/**
 * How long a committed event takes through outbox, relay and bus into a projection, at 200 events a second: on the
 * embedded bus, and over Kafka where `brokers` names one. The aims on two idle cores are 50 ms for half of them and 250 ms
 * for 99 %; users see the writes of others within 1 s (HTTP-3).
 */
export async function runEventsBench({ brokers }: { brokers?: string } = {}): Promise<EventsFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'pulso-events-'));
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ directory: join(folder, 'postgres'), password: 'bench' });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 8 });
  // `end` does not wait until the connections are closed: the server may end them first.
  pool.on('error', () => undefined);
  try {
    await migrateBus(pool);
    await pool.query('CREATE TABLE projection (id text PRIMARY KEY)');
    const database = { pool, url: postgres.url };
    const inProcess = await measure(database, new InProcessBus({ pool, clock: systemClock, logger }));
    return {
      perSecond: PER_SECOND,
      inProcess,
      ...(brokers && { kafka: await overKafka(database, brokers) }),
    };
  } finally {
    await pool.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Database {
  pool: pg.Pool;
  url: string;
}

async function overKafka(database: Database, brokers: string): Promise<RoundFigures[]> {
  const config = loadConfig(kafkaConfigSchema, { KAFKA_BROKERS: brokers, KAFKA_PREFIX: 'bench.' });
  const table = [{ name: postTopic.name, partitions: 6, retentionMs: 3_600_000 }];
  await createTopics({ config, logger, table });
  return measure(database, new KafkaBus({ config, logger }));
}

async function measure(
  { pool, url }: Database,
  bus: EventBus & { start(): Promise<void>; stop(): Promise<void> },
) {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    migrations: [CreateOutbox1700000000000, CreateLeases1765100000000],
  });
  await dataSource.initialize();
  await dataSource.runMigrations();
  const committed = new Map<string, number>();
  const deliveries: number[] = [];
  const projection: Consumer<PostState> = {
    group: 'projection',
    topic: postTopic,
    async handle({ id }) {
      await pool.query('INSERT INTO projection VALUES ($1) ON CONFLICT DO NOTHING', [id]);
      deliveries.push(performance.now() - committed.get(id)!);
    },
  };
  bus.subscribe(projection);
  await bus.start();
  const relay = new OutboxRelay({ sources: [new PostgresOutbox(dataSource)], bus, logger });
  relay.start();
  const commits: number[] = [];
  const write = async (id: string) => {
    const started = performance.now();
    const state = PostState.fromPartial({ id, version: 1, authorId: 'ada', createdAt: 1_700_000_000_000 });
    // Until the commit returns, its start counts: the relay may be quicker than the answer.
    committed.set(id, started);
    await dataSource.transaction((manager) => stageEvents(manager, postTopic, [state]));
    committed.set(id, performance.now());
    commits.push(performance.now() - started);
    relay.nudge();
  };
  const round = async (name: string): Promise<RoundFigures> => {
    deliveries.length = 0;
    commits.length = 0;
    const start = performance.now();
    const writes: Promise<void>[] = [];
    while (writes.length < PER_SECOND * SECONDS) {
      const due = Math.floor(((performance.now() - start) / 1_000) * PER_SECOND);
      while (writes.length < due) writes.push(write(`${name}-${writes.length}`));
      await delay(5);
    }
    await Promise.all(writes);
    await drainEvents({ relays: [relay], bus, timeoutMs: DRAIN_MS });
    const [commit, delivery] = [percentiles(commits), percentiles(deliveries)];
    return { commit, delivery, ratio: delivery.p50 / commit.p50 };
  };
  try {
    const kind = bus.constructor.name;
    await round(`${kind}-warm-up`);
    const rounds: RoundFigures[] = [];
    while (rounds.length < ROUNDS) rounds.push(await round(`${kind}-${rounds.length}`));
    return rounds;
  } finally {
    await relay.stop();
    await bus.stop();
    await dataSource.destroy();
  }
}
