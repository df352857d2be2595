import mongoose from 'mongoose';
import { StartError } from '../process/start-error.js';
import { collectionsOf, documentClient, RESTORING_PREFIX } from './dump-documents.js';
import { type ArchivePart, readArchive } from './read-archive.js';

const { BSON } = mongoose.mongo;
const BATCH = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Numbers, texts and binary values of the very kind that they were. */
const AS_IT_WAS = { promoteValues: false, promoteLongs: false, bsonRegExp: true };

type Db = mongoose.mongo.Db;

/**
 * Puts an archive in the place of the database's collections, which are kept under names that begin with `<kept>.`. Nobody else may use
 * the database meanwhile. Documents are written beside the present ones first, so a failure until then changes nothing; one while
 * collections are renamed leaves them under either name, and the restore is repeated, with another `kept`. Returns how many documents
 * there are. Throws StartError if the archive is damaged.
 */
export async function restoreDocuments(
  url: string,
  source: AsyncIterable<Uint8Array>,
  kept: string,
): Promise<number> {
  const client = documentClient(url);
  try {
    const database = client.db();
    await dropCollections(database, RESTORING_PREFIX);
    const restored = await write(database, readArchive(source));
    for (const name of await collectionsOf(database))
      await database.renameCollection(name, `${kept}.${name}`);
    for (const name of restored.names) await database.renameCollection(`${RESTORING_PREFIX}${name}`, name);
    return restored.documents;
  } finally {
    await client.close();
  }
}

/** Drops what a restore has kept under this name. Throws StartError if there is nothing. */
export async function forgetDocuments(url: string, kept: string): Promise<void> {
  const client = documentClient(url);
  try {
    if ((await dropCollections(client.db(), `${kept}.`)) === 0)
      throw new StartError(`the database has no collection of ${kept}`);
  } finally {
    await client.close();
  }
}

async function dropCollections(database: Db, prefix: string): Promise<number> {
  const listed = await database.listCollections({}, { nameOnly: true }).toArray();
  const dropped = listed.filter(({ name }) => name.startsWith(prefix));
  for (const { name } of dropped) await database.dropCollection(name);
  return dropped.length;
}

async function write(database: Db, archive: AsyncGenerator<ArchivePart>) {
  const names: string[] = [];
  let documents = 0;
  let batch: { collection: string; rows: mongoose.mongo.Document[]; bytes: number } | undefined;
  const flush = async () => {
    if (!batch) return;
    await database.collection(`${RESTORING_PREFIX}${batch.collection}`).insertMany(batch.rows);
    documents += batch.rows.length;
    batch = undefined;
  };
  for await (const part of archive) {
    if ('collections' in part) {
      // With their indexes at once: a collection without documents is there, too, and a wrong document is refused here.
      for (const { name, indexes } of part.collections) {
        names.push(name);
        await database.command({
          createIndexes: `${RESTORING_PREFIX}${name}`,
          indexes: indexes.map(({ v: _version, ns: _namespace, ...index }) => index),
        });
      }
      continue;
    }
    const { collection, document } = part;
    if (
      batch &&
      (batch.collection !== collection || batch.rows.length >= BATCH || batch.bytes >= BATCH_BYTES)
    )
      await flush();
    batch ??= { collection, rows: [], bytes: 0 };
    batch.rows.push(BSON.deserialize(document, AS_IT_WAS));
    batch.bytes += document.length;
  }
  await flush();
  return { names, documents };
}
