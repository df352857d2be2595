import pg from 'pg';
import { aPostgresDatabase } from '../../testing/databases.js';
import { gate } from '../../testing/gate.js';
import { inTransaction } from '../../src/events/in-process/in-transaction.js';

describe('inTransaction', () => {
  let pool: pg.Pool;

  let database: Awaited<ReturnType<typeof aPostgresDatabase>> | undefined;

  beforeAll(async () => {
    database = await aPostgresDatabase('platform');
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    await pool.query('CREATE TABLE written (value int)');
  });

  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  beforeEach(() => pool.query('TRUNCATE written'));

  const insert = (client: pg.PoolClient) => client.query('INSERT INTO written VALUES (1)');
  const count = async () => (await pool.query('SELECT FROM written')).rowCount;

  it('commits and returns the result of the work', async () => {
    expect(await inTransaction(pool, async (client) => (await insert(client)).rowCount)).toBe(1);
    expect(await count()).toBe(1);
  });

  it('rolls back when the work throws', async () => {
    const failing = inTransaction(pool, async (client) => {
      await insert(client);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await count()).toBe(0);
  });

  it('rejects and removes its connection from the pool when it is lost between two statements', async () => {
    const failing = inTransaction(pool, async (client) => {
      await insert(client);
      const lost = gate('the loss of the connection');
      client.once('error', () => lost.open());
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const other = new pg.Client({ connectionString: process.env.PULSO_TEST_POSTGRES_URL });
      await other.connect();
      try {
        await other.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      } finally {
        await other.end();
      }
      await lost.opened;
    });
    await expect(failing).rejects.toThrow();
    expect(await count()).toBe(0);
  });
});
