import { DataSource } from 'typeorm';
import { KnownTokens } from '../../src/events/known-tokens.js';
import { Commits } from '../../src/events/outbox/commits.js';
import { postgres } from '../../src/postgres/postgres-store.js';
import { statement, Statements } from '../../src/postgres/statements.js';
import { Writes } from '../../src/postgres/writes.js';
import { systemClock } from '../../src/time/clock.js';
import { aPostgresDatabase } from '../../testing/databases.js';

const SUM = statement<{ sum: number }>('test-sum', 'SELECT $1::int + $2::int AS sum');
const LEASES = statement<{ name: string }>('test-leases', 'SELECT name FROM leases');
const PREPARED = statement<{ name: string; uses: string }>(
  'test-prepared',
  `SELECT name, (generic_plans + custom_plans)::text AS uses FROM pg_prepared_statements ORDER BY name`,
);

let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
let dataSource: DataSource;
let statements: Statements;

beforeEach(async () => {
  database = await aPostgresDatabase('statements');
  const store = postgres({ entities: [], migrations: [], owns: [] });
  const target = { service: 'test', setting: 'TEST_DATABASE_URL', url: database.url, pool: 1 };
  await store.migrate(target);
  dataSource = await new DataSource(store.dataSourceOptions(target)).initialize();
  statements = new Statements(dataSource);
});

afterEach(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

describe('Statements', () => {
  it('prepares a statement once on a connection, inside and outside of transactions', async () => {
    const writes = new Writes(
      dataSource,
      new Commits({ nudge: () => undefined }, new KnownTokens(), systemClock),
    );
    await expect(statements.row(SUM, [1, 2])).resolves.toEqual({ sum: 3 });
    await expect(writes.run((transaction) => transaction.rows(SUM, [2, 3]))).resolves.toEqual([{ sum: 5 }]);
    const prepared = await statements.rows(PREPARED, []);
    expect(prepared).toContainEqual({ name: 'test-sum', uses: '2' });
  });

  it('sees the writes of its own transaction', async () => {
    const writes = new Writes(
      dataSource,
      new Commits({ nudge: () => undefined }, new KnownTokens(), systemClock),
    );
    const seen = await writes.run(async (transaction) => {
      await transaction.manager.query(
        `INSERT INTO leases (name, holder, until) VALUES ('a', gen_random_uuid(), now())`,
      );
      return transaction.rows(LEASES, []);
    });
    expect(seen).toEqual([{ name: 'a' }]);
  });

  it('rejects with the error of the driver', async () => {
    await expect(statements.rows(SUM, ['x', 1])).rejects.toMatchObject({ code: '22P02' });
  });
});
