import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

const BATCH = 500;

/** Reads all rows of an entity in batches, in the order of its uuid primary key columns. */
export async function* readInBatches<T extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<T>,
  key: readonly (keyof T & string)[],
): AsyncIterable<T> {
  let last: T | undefined;
  for (;;) {
    const query = dataSource.getRepository(entity).createQueryBuilder('row').limit(BATCH);
    for (const property of key) query.addOrderBy(`row.${property}`, 'ASC');
    if (last) {
      const row = last;
      const columns = key.map((property) => `row.${property}`).join(', ');
      const values = key.map((property) => `CAST(:${property} AS uuid)`).join(', ');
      query.where(
        `(${columns}) > (${values})`,
        Object.fromEntries(key.map((property) => [property, row[property]])),
      );
    }
    const rows = await query.getMany();
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1);
  }
}
