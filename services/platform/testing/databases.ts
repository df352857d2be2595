import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { Client, Pool } from 'pg';

/** A database that only one suite uses; `drop` removes it and ends its pool. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The URL of an engine that the suites' global set-up, or `npm run test:engines`, has started. */
function engine(name: 'PULSO_TEST_POSTGRES_URL' | 'PULSO_TEST_MONGODB_URL'): string {
  const url = process.env[name];
  if (!url) throw new Error(`${name} is not set: jest's global set-up starts the engines.`);
  return url;
}

function named(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}

const newName = (prefix: string) => `${prefix}_${randomBytes(6).toString('hex')}`;

/** An empty PostgreSQL database with a pool on it. */
export async function aPostgresDatabase(prefix: string): Promise<TestDatabase & { pool: Pool }> {
  const server = engine('PULSO_TEST_POSTGRES_URL');
  const name = newName(prefix);
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = named(server, name);
  const pool = new Pool({ connectionString: url, max: 10 });
  // Dropping the database by force ends idle connections; any other lost connection fails the test.
  let dropping = false;
  pool.on('error', (error) => {
    if (!dropping) throw error;
  });
  return {
    url,
    pool,
    async drop() {
      dropping = true;
      await pool.end();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The URL of a new database in the document store. */
export function aMongoDatabase(prefix: string): TestDatabase {
  const url = named(engine('PULSO_TEST_MONGODB_URL'), newName(prefix));
  return {
    url,
    async drop() {
      const connection = await mongoose.createConnection(url).asPromise();
      await connection.dropDatabase();
      await connection.close();
    },
  };
}
