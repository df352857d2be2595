import { SERVICE_NAMES, type ServiceName } from '@pulso/contracts/rpc';
import { LimitedClient } from '@pulso/platform/postgres/limited-client';
import { MIGRATION_LIMITS, poolOptions } from '@pulso/platform/postgres/pool-options';
import { SERVICES } from '@pulso/registry/services';
import type pg from 'pg';

/** URL of a database for each service, and one of PostgreSQL for the bus. */
export type Databases = Readonly<Record<ServiceName | 'bus', string>>;

export interface EngineUrls {
  /** URL of a database on whose server others can be created. */
  postgresUrl: string;
  mongodbUrl: string;
}

/** The databases `<prefix>_<service>` on the engine that each service's store needs, and `<prefix>_bus`. */
export function databasesOn({ postgresUrl, mongodbUrl }: EngineUrls, prefix: string): Databases {
  const urls = SERVICE_NAMES.map((name) => {
    const engine = SERVICES[name].store.kind === 'postgres' ? postgresUrl : mongodbUrl;
    return [name, databaseUrl(engine, `${prefix}_${name}`)];
  });
  return { ...Object.fromEntries(urls), bus: databaseUrl(postgresUrl, `${prefix}_bus`) } as Databases;
}

/** Creates the missing PostgreSQL databases; the document store creates its own on the first write. */
export async function createDatabases(postgresUrl: string, databases: Databases): Promise<void> {
  await withServer(postgresUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const present = new Set(rows.map(({ datname }) => datname));
    for (const name of relationalNames(databases)) {
      if (!present.has(name)) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    }
  });
}

/** Drops the PostgreSQL databases. @internal for suites */
export async function dropDatabases(postgresUrl: string, databases: Databases): Promise<void> {
  await withServer(postgresUrl, async (client) => {
    for (const name of relationalNames(databases)) {
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
    }
  });
}

const relationalNames = (databases: Databases) =>
  Object.values(databases)
    .filter((url) => /^postgres/.test(url))
    .map((url) => new URL(url).pathname.slice(1));

/** Runs `use` on a separate connection. */
export async function withServer(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client: pg.Client = new LimitedClient({ connectionString: url, ...poolOptions(MIGRATION_LIMITS) });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** The URL of database `name` on the server or servers that `url` names; its options stay. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^([a-z+]+:\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
}
