import { postTopic } from '@pulso/contracts/topics/posts';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { isStatementTimeout, isStoreTrouble } from '../../src/errors/store-trouble.js';
import { migrateBus } from '../../src/events/in-process/bus-schema.js';
import type { EventRecord } from '../../src/events/event-bus.js';
import { InProcessBus } from '../../src/events/in-process/in-process-bus.js';
import { inTransaction } from '../../src/events/in-process/in-transaction.js';
import { OutboxRelay } from '../../src/events/outbox/outbox.js';
import { type PostgresLimits, poolOptions } from '../../src/postgres/pool-options.js';
import { PostgresOutbox, stageEvents } from '../../src/postgres/postgres-outbox.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { type SilentProxy, startSilentProxy } from '../../testing/silent-proxy.js';
import { until } from '../../testing/until.js';
import { logger } from '../events/in-process-house.js';
import { aPost, postEvent, Recorder } from '../events/recorder.js';

const LIMITS: PostgresLimits = {
  connectMs: 1_500,
  statementMs: 1_000,
  idleInTransactionMs: 500,
  graceMs: 200,
};

const store = postgres({ entities: [], migrations: [], owns: [] });

describe('PostgreSQL that falls silent and closes no connection', () => {
  let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
  let proxy: SilentProxy;

  beforeAll(async () => {
    database = await aPostgresDatabase('silent');
    await store.migrate(target(database.url));
    await migrateBus(database.pool);
    await database.pool.query('CREATE TABLE seen (id text PRIMARY KEY, version bigint NOT NULL)');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    await database.pool.query(
      'TRUNCATE seen, outbox, bus_events, bus_subscriptions, bus_dead_letters CASCADE',
    );
    proxy = await startSilentProxy(database.url);
    onTestEnd(() => proxy.stop());
  });

  const target = (url: string) => ({ service: 'silent', setting: 'SILENT_DATABASE_URL', url, pool: 2 });

  /** A service's pool of two connections, with short limits. */
  const aDataSource = async () => {
    const options = store.dataSourceOptions(target(proxy.url));
    const dataSource = await new DataSource({ ...options, extra: poolOptions(LIMITS) }).initialize();
    onTestEnd(() => dataSource.destroy());
    return dataSource;
  };

  const aPool = (more: pg.PoolConfig = {}, limits: Partial<PostgresLimits> = {}) => {
    const pool = new pg.Pool({
      connectionString: proxy.url,
      max: 2,
      ...poolOptions({ ...LIMITS, ...limits }),
      ...more,
    });
    pool.on('error', () => undefined);
    onTestEnd(() => pool.end());
    return pool;
  };

  const SLEEP = 'SELECT pg_sleep(0.7)';
  const sleeping = async () => {
    const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query = $1`;
    return (await database.pool.query(text, [SLEEP])).rowCount;
  };

  /** Two queries in each pool, once all of them run: each pool has its two connections. */
  const runInAll = (pools: readonly ((statement: string) => Promise<unknown>)[]) =>
    until(
      async () => {
        const running = pools.flatMap((query) => [query(SLEEP), query(SLEEP)]);
        const over = Promise.allSettled(running).then(() => true);
        while (!(await Promise.race([over, delay(5, false)])))
          if ((await sleeping()) === running.length) return { running };
      },
      { what: 'two queries in each pool that run at once' },
    );

  it('costs no pool a connection for ever', async () => {
    const [service, writer, bus, writingBus] = [await aDataSource(), await aDataSource(), aPool(), aPool()];
    const pools: ((statement: string) => Promise<unknown>)[] = [
      (statement) => service.query(statement),
      (statement) => writer.transaction((manager) => manager.query(statement)),
      (statement) => bus.query(statement),
      (statement) => inTransaction(writingBus, (client) => client.query(statement)),
    ];
    const { running } = await runInAll(pools);
    proxy.fallSilent();
    const waiting = pools.map((query) => query('SELECT 1'));
    for (const result of await Promise.allSettled([...running, ...waiting])) {
      const reason: unknown = result.status === 'rejected' && result.reason;
      expect([isStoreTrouble(reason), isStatementTimeout(reason)]).toEqual([true, false]);
    }
    proxy.comeBack();
    await Promise.all((await runInAll(pools)).running);
  });

  it('is not what a statement that takes too long looks like: the server cancels it, and the connection stays', async () => {
    const client = await aPool().connect();
    onTestEnd(() => client.release());
    const pid = async () =>
      (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    const before = await pid();
    const error: unknown = await client.query('SELECT pg_sleep(60)').catch((thrown: unknown) => thrown);
    expect(isStatementTimeout(error)).toBe(true);
    expect(await pid()).toBe(before);
  });

  it('is not suspected during work that sets its own limit, nor in migrations, which have none', async () => {
    const limits = { statementMs: 50, graceMs: 1 };
    const [pool, unlimited] = [aPool({ max: 1 }, limits), aPool({}, { ...limits, statementMs: 0 })];
    const long = inTransaction(pool, async (client) => {
      await client.query('SET LOCAL statement_timeout = 0');
      await client.query('SELECT pg_sleep(0.3)');
    });
    await Promise.all([long, unlimited.query('SELECT pg_sleep(0.3)')]);
    const client = await pool.connect();
    onTestEnd(() => client.release());
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_sleep(0.3)');
    await client.query('RESET statement_timeout');
    proxy.fallSilent();
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('leaves no locks of a transaction whose client has gone', async () => {
    await database.pool.query(`INSERT INTO seen VALUES ('locked', 1)`);
    const lost = inTransaction(aPool(), async (client) => {
      await client.query(`UPDATE seen SET version = 2 WHERE id = 'locked'`);
      proxy.fallSilent();
      await client.query('SELECT 1');
    });
    await expect(lost).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    const changed = () =>
      database.pool.query(`UPDATE seen SET version = 3 WHERE id = 'locked' AND version = 1`);
    await expect(changed()).resolves.toMatchObject({ rowCount: 1 });
  });

  it('is left by who has nothing more to ask', async () => {
    const client = await aPool().connect();
    let hasEnded = false;
    client.once('end', () => (hasEnded = true));
    proxy.fallSilent();
    client.release(true);
    await until(() => hasEnded, { what: 'the end of a connection that nobody closes on the other side' });
  });

  it('loses no event of an outbox', async () => {
    const direct = await new DataSource(store.dataSourceOptions(target(database.url))).initialize();
    onTestEnd(() => direct.destroy());
    const states = Array.from({ length: 30 }, (_, at) => aPost({ id: `post-${at}` }));
    await direct.transaction((manager) => stageEvents(manager, postTopic, states));
    const published = new Set<string>();
    const bus = {
      async publish(events: readonly EventRecord[]) {
        if (published.size === 0) proxy.fallSilent();
        for (const { key } of events) published.add(key);
      },
    };
    const registry = new Registry();
    const source = new PostgresOutbox(await aDataSource());
    const relay = new OutboxRelay({ sources: [source], bus, logger, registry, pollMs: 10 });
    onTestEnd(() => relay.stop());
    relay.start();
    await until(async () => (await failuresIn(registry)) > 0, { what: 'a pass of the relay that fails' });
    const later = aPost({ id: 'post-during-the-silence' });
    await direct.transaction((manager) => stageEvents(manager, postTopic, [later]));
    proxy.comeBack();
    const outbox = new PostgresOutbox(direct);
    await until(async () => (await outbox.depth()) === 0, { what: 'an empty outbox' });
    expect([...published].toSorted()).toEqual([...states, later].map(({ id }) => id).toSorted());
  });

  it('lets a consumer handle every event afterwards', async () => {
    const dataSource = await aDataSource();
    let isFirst = true;
    const recorder = new Recorder('posts', {
      async before({ id, version }) {
        if (id === 'post-3' && isFirst) {
          isFirst = false;
          proxy.fallSilent();
        }
        await dataSource.query(
          `INSERT INTO seen VALUES ($1, $2) ON CONFLICT (id) DO UPDATE
           SET version = excluded.version WHERE excluded.version > seen.version`,
          [id, version],
        );
      },
    });
    const bus = new InProcessBus({ pool: aPool(), logger, retry: { firstMs: 10 }, pollMs: 20 });
    onTestEnd(() => bus.stop());
    bus.subscribe(recorder);
    await bus.start();
    const ids = Array.from({ length: 6 }, (_, at) => `post-${at}`);
    const events = ids.flatMap((id) => [postEvent(id, 1), postEvent(id, 2)]);
    const first = Promise.allSettled([bus.publish(events)]);
    await until(() => recorder.attempts > recorder.handled.length + 1, {
      what: 'a handler that has failed',
    });
    proxy.comeBack();
    // As the relay does: the bus could not store what had failed.
    await first;
    await bus.publish(events);
    const left = async () => (await database.pool.query('SELECT FROM bus_deliveries')).rowCount;
    await until(async () => (await left()) === 0, { what: 'no delivery that is due' });
    const { rows } = await database.pool.query('SELECT id, version::int FROM seen ORDER BY id');
    expect(rows).toEqual(ids.map((id) => ({ id, version: 2 })));
    expect(await bus.deadLetters()).toEqual([]);
  });
});

async function failuresIn(registry: Registry): Promise<number> {
  const metric = await registry.getSingleMetric('pulso_outbox_relay_failures_total')!.get();
  return metric.values[0]?.value ?? 0;
}
