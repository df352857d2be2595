import type { DataSource } from 'typeorm';

/** Some milliseconds of work: far below the limit of a statement, and no lock is held for long. */
export const DELETED_AT_ONCE = 1_000;

/** Which rows go. All of it is SQL of the caller, never what a request has sent; values are `parameters`. */
export interface OldRows {
  table: string;
  where: string;
  /** An indexed column by which `where` chooses: the oldest go first, found without reading the others. */
  oldestBy: string;
  parameters?: readonly unknown[];
}

/**
 * Deletes all these rows by statements of 1,000 rows each, which are transactions of their own: a backlog of any size goes,
 * where one statement for all of it would take longer than statements may and never succeed. Ends early when `stopping` aborts.
 */
export async function deleteInBatches(
  dataSource: Pick<DataSource, 'query'>,
  { table, where, oldestBy, parameters = [] }: OldRows,
  stopping: AbortSignal,
): Promise<void> {
  // The condition is checked again on the row itself: it may have been renewed since it was found.
  const statement = `DELETE FROM ${table} WHERE ${where} AND ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${oldestBy} LIMIT ${DELETED_AT_ONCE}))`;
  await untilLessThan(DELETED_AT_ONCE, stopping, async () => {
    const [, count] = await dataSource.query<[unknown[], number]>(statement, [...parameters]);
    return count;
  });
}

/** Repeats `batch`, which returns how many rows it has dealt with, until it finds less than a whole batch. */
export async function untilLessThan(
  size: number,
  stopping: AbortSignal,
  batch: () => Promise<number>,
): Promise<void> {
  for (let found = size; found >= size && !stopping.aborted;) found = await batch();
}
