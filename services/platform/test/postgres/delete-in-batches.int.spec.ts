import { foreignCalls as foreignCallsPart } from '../../src/foreign-calls/foreign-calls-part.js';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { KnownTokens } from '../../src/events/known-tokens.js';
import { Commits } from '../../src/events/outbox/commits.js';
import { DELETED_AT_ONCE, deleteInBatches } from '../../src/jobs/delete-in-batches.js';
import { ForeignCalls } from '../../src/foreign-calls/foreign-calls.js';
import { createLogger } from '../../src/logging/logger.js';
import { IdempotentWrites } from '../../src/postgres/idempotent-writes.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import { Statements } from '../../src/postgres/statements.js';
import { Writes } from '../../src/postgres/writes.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { until } from '../../testing/until.js';

const OLD = 2.5 * DELETED_AT_ONCE;
const KEPT = 10;
const MONTH = 31 * 24 * 60 * 60_000;

describe('rows deleted in batches', () => {
  let dataSource: DataSource;
  let clock: ManualClock;
  /** How many rows each statement has deleted. */
  let deleted: number[];
  let stop: AbortController;
  let afterBatch: () => void;

  beforeEach(async () => {
    const database = await aPostgresDatabase('platform');
    onTestEnd(() => database.drop());
    const store = postgres({ entities: [], migrations: [], owns: [], parts: [foreignCallsPart] });
    const target = { service: 'test', setting: 'TEST_DATABASE_URL', url: database.url, pool: 4 };
    await store.migrate(target);
    dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
    onTestEnd(() => dataSource.destroy());
    clock = new ManualClock(Date.now() + MONTH);
    deleted = [];
    stop = new AbortController();
    afterBatch = () => undefined;
  });

  /** The data source, which notes what each statement deletes. */
  const counted = () =>
    ({
      async query(sql: string, parameters?: unknown[]) {
        const answer = await dataSource.query<[unknown[], number]>(sql, parameters);
        deleted.push(answer[1]);
        afterBatch();
        return answer;
      },
    }) as unknown as DataSource;
  const foreignCalls = () => {
    const writes = new Writes(dataSource, new Commits({ nudge: () => undefined }, new KnownTokens(), clock));
    const logger = createLogger({ service: 'test', level: 'silent' });
    return new ForeignCalls(new Statements(dataSource), writes, counted(), logger, new Registry());
  };
  const add = (rows: number, at: number) =>
    dataSource.query(
      `INSERT INTO idempotency_keys (id, body_hash, answer, created_at)
       SELECT gen_random_uuid(), '', '', $2 FROM generate_series(1, $1)`,
      [rows, new Date(at)],
    );
  const left = async (table: string) => {
    const [row] = await dataSource.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${table}`);
    return row!.count;
  };
  const remove = () =>
    deleteInBatches(
      counted(),
      {
        table: 'idempotency_keys',
        where: 'created_at <= $1',
        oldestBy: 'created_at',
        parameters: [new Date(1_000)],
      },
      stop.signal,
    );

  it('go whatever their number, by statements of a thousand each', async () => {
    await add(OLD, 1_000);
    await add(KEPT, 1_001);
    await remove();
    expect([deleted, await left('idempotency_keys')]).toEqual([[1_000, 1_000, 500], KEPT]);
  });

  it('go oldest first, and no further than the stop', async () => {
    await add(OLD - 1, 1_000);
    await add(1, 999);
    afterBatch = () => stop.abort();
    await remove();
    expect([deleted, await left('idempotency_keys')]).toEqual([[1_000], OLD - 1_000]);
    expect(
      await dataSource.query('SELECT FROM idempotency_keys WHERE created_at < $1', [new Date(1_000)]),
    ).toEqual([]);
    await remove();
    expect(deleted).toEqual([1_000]);
  });

  it('stay when they are renewed meanwhile', async () => {
    await add(2, 1_000);
    const runner = dataSource.createQueryRunner();
    onTestEnd(() => runner.release());
    await runner.startTransaction();
    await runner.query(
      'UPDATE idempotency_keys SET created_at = $1 WHERE id = (SELECT min(id) FROM idempotency_keys)',
      [new Date(1_001)],
    );
    const removed = remove();
    const waits = async () => {
      const rows = await dataSource.query<unknown[]>('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    };
    await until(waits, { what: 'the deletion to wait for the renewal' });
    await runner.commitTransaction();
    await removed;
    expect([deleted, await left('idempotency_keys')]).toEqual([[1], 1]);
  });

  it.each([
    ['idempotency_keys', () => new IdempotentWrites(counted(), clock)],
    ['foreign_calls', () => foreignCalls()],
  ])('are those of %s', async (table, owner) => {
    await add(OLD, Date.now());
    await dataSource.query(
      `INSERT INTO foreign_calls (kind, caller, key, sent_key, request, rendered, api_version, state, enqueued, attempts,
         running, due_at, created_at, ended_at)
       SELECT 'charge', 'user', gen_random_uuid(), '', '{}', '{}', '', 'done', false, 1, false, now(), now(),
         now() - interval '31 days' FROM generate_series(1, $1)`,
      [OLD],
    );
    afterBatch = () => {
      if (deleted.length === 2) stop.abort();
    };
    await owner().purge(stop.signal);
    expect([deleted, await left(table)]).toEqual([[1_000, 1_000], 500]);
    await owner().purge(new AbortController().signal);
    expect([deleted, await left(table)]).toEqual([[1_000, 1_000, 500], 0]);
  });
});
