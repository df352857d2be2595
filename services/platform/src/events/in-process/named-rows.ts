import type { Pool, QueryResultRow } from 'pg';

/** The rows of a statement. It is named, so that each connection parses and plans it once. */
export async function namedRows<R extends QueryResultRow>(
  pool: Pool,
  name: string,
  text: string,
  values: unknown[],
): Promise<R[]> {
  const { rows } = await pool.query<R>({ name, text, values });
  return rows;
}
