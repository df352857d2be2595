/** The part of a MongoDB collection that a projection needs; both the driver's and mongoose's collections have it. */
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
 * if it does not exist. Any order and number of calls, also concurrent ones, lead to the newest version. `also` holds
 * further operators of the same update. Returns whether this call changed the document.
 */
export async function upsertIfNewer(
  collection: ProjectionCollection,
  id: string,
  version: number,
  fields: object,
  also: object = {},
): Promise<boolean> {
  if (await upsertIfOlder(collection, id, version, fields, also)) return true;
  // The document exists: it has this version or a newer one, or a concurrent insert of an older version came first.
  const { modifiedCount } = await collection.updateOne(...changeOf(id, version, fields, also));
  return modifiedCount > 0;
}

/** The same by one command. False also if a concurrent insert of an older version came first. */
export async function upsertIfOlder(
  collection: ProjectionCollection,
  id: string,
  version: number,
  fields: object,
  also: object = {},
): Promise<boolean> {
  try {
    await collection.updateOne(...changeOf(id, version, fields, also), { upsert: true });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== DUPLICATE_KEY) throw error;
    return false;
  }
}

const changeOf = (id: string, version: number, fields: object, also: object) =>
  [
    { _id: id, version: { $lt: version } },
    { $set: { ...fields, version }, ...also },
  ] as const;
