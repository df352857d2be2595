/** What of a MongoDB collection a projection needs; the driver's and mongoose's collections both fit. */
export interface ProjectionCollection {
  updateOne(
    filter: object,
    update: object,
    options?: { upsert?: boolean },
  ): Promise<{ modifiedCount: number; upsertedCount: number }>;
}

const DUPLICATE_KEY = 11000;

/**
 * Writes `fields` and `version` to the document `id` unless it already has that version or a newer one; creates it
 * when absent. Any order and number of calls, concurrent ones included, end in the newest version. `also` are further
 * operators of the same update. Answers whether this call changed the document.
 */
export async function upsertIfNewer(
  collection: ProjectionCollection,
  id: string,
  version: number,
  fields: object,
  also: object = {},
): Promise<boolean> {
  const older = { _id: id, version: { $lt: version } };
  const change = { $set: { ...fields, version }, ...also };
  try {
    const { modifiedCount, upsertedCount } = await collection.updateOne(older, change, { upsert: true });
    return modifiedCount + upsertedCount > 0;
  } catch (error) {
    if ((error as { code?: unknown }).code !== DUPLICATE_KEY) throw error;
  }
  // The document exists: it is as new as ours, or a concurrent insert of an older version came first.
  const { modifiedCount } = await collection.updateOne(older, change);
  return modifiedCount > 0;
}
