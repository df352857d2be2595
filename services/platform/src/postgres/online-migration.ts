import type { QueryRunner } from 'typeorm';
import { NIL_ID } from '../ids/uuid-v7.js';

/** The rows of this many ids are locked together: some tens of milliseconds. */
const BATCH = 500;

/**
 * For migrations of tables that are read and written meanwhile. Such a migration sets `transaction = false`, so that each
 * statement's locks end with it, and every step of it can be repeated after an interruption.
 */
export async function createIndexOnline(
  runner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  const [index] = (await runner.query(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )) as { valid: boolean }[];
  if (index?.valid) return;
  // An interrupted build leaves an invalid index.
  await runner.query(`DROP INDEX IF EXISTS ${name}`);
  await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${definition}`);
}

/**
 * Runs `work` for all rows of a table whose primary key is the uuid `id`, in batches. SQL: `work` is a statement over
 * `batch`, which has the rows as they are now; they are locked until its end. Reading the table again in `work` would
 * give them as they were when the statement began to wait for a lock.
 */
export async function inBatches(runner: QueryRunner, table: string, work: string): Promise<void> {
  for (let last: string | null = NIL_ID; last !== null;) {
    const [{ next }] = (await runner.query(
      `SELECT max(id::text) AS next FROM (
         SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${BATCH}) AS coming`,
      [last],
    )) as [{ next: string | null }];
    if (next === null) return;
    await runner.query(
      `WITH batch AS MATERIALIZED (
         SELECT * FROM ${table} WHERE id > $1 AND id <= $2 ORDER BY id FOR NO KEY UPDATE
       ) ${work}`,
      [last, next],
    );
    last = next;
  }
}
