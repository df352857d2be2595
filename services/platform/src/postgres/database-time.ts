import type { DataSource } from 'typeorm';

/** The database's clock, in ms since the epoch. */
export async function databaseTime(dataSource: Pick<DataSource, 'query'>): Promise<number> {
  const [row] = await dataSource.query<{ time: number }[]>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time',
  );
  return Math.floor(row!.time);
}
