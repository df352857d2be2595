import pg from 'pg';
import { inTransaction } from '../../src/events/in-transaction.js';

describe('inTransaction', () => {
  let pool: pg.Pool;

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: process.env.PULSO_TEST_POSTGRES_URL, max: 1 });
    await pool.query('CREATE TABLE IF NOT EXISTS in_transaction_spec (value int)');
  });

  afterAll(async () => {
    await pool.query('DROP TABLE in_transaction_spec');
    await pool.end();
  });

  beforeEach(() => pool.query('TRUNCATE in_transaction_spec'));

  const insert = (client: pg.PoolClient) => client.query('INSERT INTO in_transaction_spec VALUES (1)');
  const count = async () => (await pool.query('SELECT FROM in_transaction_spec')).rowCount;

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
      const lost = new Promise((resolve) => client.once('error', resolve));
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const other = new pg.Client({ connectionString: process.env.PULSO_TEST_POSTGRES_URL });
      await other.connect();
      await other.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      await other.end();
      await lost;
    });
    await expect(failing).rejects.toThrow();
    expect(await count()).toBe(0);
  });
});
