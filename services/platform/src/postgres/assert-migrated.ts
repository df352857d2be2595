import { DataSource, type DataSourceOptions } from 'typeorm';
import { StartError } from '../process/start-error.js';
import { connectOrExplain } from '../process/engine-address.js';

const UNDEFINED_TABLE = '42P01';

/**
 * Rejects with StartError if the database of `setting` is unreachable or lacks a migration of this version. Migrations
 * that this version does not know are allowed: a newer version is being rolled out.
 */
export async function assertMigrated(
  setting: string,
  url: string,
  options: DataSourceOptions & { type: 'postgres' },
): Promise<void> {
  const applied = await connectOrExplain(setting, url, () => appliedMigrations(options));
  const expected = (options.migrations as (new () => { name: string })[]).map(
    (Migration) => new Migration().name,
  );
  const missing = expected.filter((name) => !applied.has(name));
  if (missing.length === 0) return;
  const state = applied.size === 0 ? 'has no schema yet' : `lacks ${missing.join(', ')}`;
  throw new StartError(`${setting}: the database ${state}. Run this version's \`migrate\` command first.`);
}

async function appliedMigrations(options: DataSourceOptions): Promise<Set<string>> {
  const dataSource = await new DataSource({ ...options, poolSize: 1 } as DataSourceOptions).initialize();
  try {
    const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return new Set();
    throw error;
  } finally {
    await dataSource.destroy();
  }
}
