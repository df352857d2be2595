import type { Pool } from 'pg';
import { pino } from 'pino';
import { drainEvents } from '../../src/events/outbox/drain-events.js';
import { migrateBus } from '../../src/events/in-process/bus-schema.js';
import type { EventBus } from '../../src/events/event-bus.js';
import { InProcessBus, type InProcessBusOptions } from '../../src/events/in-process/in-process-bus.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import type { Recorder } from './recorder.js';

// The poll is only a fallback: everything must work without it.
const NEVER = 1_000_000_000;

export const logger = pino({ level: 'silent' });

export const drained = (bus: EventBus) => drainEvents({ relays: [], bus, timeoutMs: 100_000 });

/** A database of in-process buses, for all tests of a file; each bus stops when its test ends. */
export interface InProcessHouse {
  readonly pool: Pool;
  empty(): Promise<unknown>;
  /** A bus whose poll never comes, unless the options say otherwise. */
  start(consumers: readonly Recorder[], options?: Partial<InProcessBusOptions>): Promise<InProcessBus>;
  /** The bus of a process that is never started, as that of a command. */
  anOperator(): InProcessBus;
}

/** Call it once in a file, outside of its tests. */
export function inProcessHouse(): InProcessHouse {
  let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
  beforeAll(async () => {
    database = await aPostgresDatabase('platform');
    await Promise.all([migrateBus(database.pool), migrateBus(database.pool)]);
  });
  afterAll(() => database?.drop());

  const aBus = (options: Partial<InProcessBusOptions>): InProcessBus => {
    const bus = new InProcessBus({ pool: database.pool, logger, ...options });
    onTestEnd(() => bus.stop());
    return bus;
  };
  return {
    get pool() {
      return database.pool;
    },
    empty: () =>
      database.pool.query('TRUNCATE bus_events, bus_subscriptions, bus_deliveries, bus_dead_letters'),
    async start(consumers, options = {}) {
      const bus = aBus({ pollMs: NEVER, ...options });
      for (const consumer of consumers) bus.subscribe(consumer);
      await bus.start();
      return bus;
    },
    anOperator: () => aBus({}),
  };
}
