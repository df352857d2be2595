import { randomBytes } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import pg from 'pg';

const named = (url: string, database: string) => {
  const named = new URL(url);
  named.pathname = `/${database}`;
  return named.href;
};

const engine = (variable: string) => {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set; jest's global set-up does it`);
  return url;
};

/** A new database on the tests' PostgreSQL. */
export async function postgresDatabase(): Promise<{ url: string; pool: pg.Pool; drop(): Promise<void> }> {
  const server = engine('PULSO_TEST_POSTGRES_URL');
  const name = `platform_${randomBytes(6).toString('hex')}`;
  await once(server, `CREATE DATABASE ${name}`);
  const url = named(server, name);
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // `end` may resolve before the server has noticed; dropping by force then ends the connection once more.
  pool.on('error', (error) => {
    if (!pool.ending) throw error;
  });
  return {
    url,
    pool,
    async drop() {
      await pool.end();
      await once(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function once(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A new database on the tests' document store. */
export async function mongoDatabase(): Promise<{ connection: Connection; drop(): Promise<void> }> {
  const name = `platform_${randomBytes(6).toString('hex')}`;
  const connection = await mongoose
    .createConnection(named(engine('PULSO_TEST_MONGODB_URL'), name))
    .asPromise();
  return {
    connection,
    async drop() {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
