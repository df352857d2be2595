import mongoose from 'mongoose';
import { StartError } from '../process/start-error.js';
import { type ArchivedCollection, preludeOf, segmentOf } from './archive.js';
import { KEPT_PREFIX } from './backup-names.js';

/** What a restore has begun to write, or has kept from before. */
export const RESTORING_PREFIX = 'restoring_';
/** The release whose protocol the embedded document store speaks, which does not tell its own. */
const DOCUMENT_STORE = '7.0.0';
const BATCH = 1_000;

/** A client for long reads and writes. Close it. */
export const documentClient = (url: string) =>
  new mongoose.mongo.MongoClient(url, {
    connectTimeoutMS: 10_000,
    writeConcern: { w: 'majority' },
    maxPoolSize: 2,
  });

/**
 * The database that `url` names as an archive of mongodump. On a replica set all of it is as of one moment: reads are those of a
 * snapshot, which the server keeps for `minSnapshotHistoryWindowInSeconds` (300); a dump that takes longer fails. A server alone, such as
 * the embedded document store, has no snapshots: there each document is whole, but documents that are written meanwhile may be there or
 * not.
 */
export async function* dumpDocuments(url: string): AsyncGenerator<Buffer> {
  const client = documentClient(url);
  try {
    const database = client.db();
    const { setName } = await database.command({ hello: 1 });
    const version = setName ? String((await database.command({ buildInfo: 1 }))['version']) : DOCUMENT_STORE;
    const collections: ArchivedCollection[] = [];
    for (const name of await collectionsOf(database))
      collections.push({ name, indexes: await database.collection(name).listIndexes().toArray() });
    yield preludeOf(database.databaseName, collections, version.replace(/[^\d.].*$/, ''));
    const session = setName ? client.startSession({ snapshot: true }) : undefined;
    try {
      for (const { name } of collections) {
        const options = { raw: true, batchSize: BATCH, ...(session && { session }) };
        // The document store stops a query that no index serves.
        const documents: AsyncIterable<unknown> = database
          .collection(name)
          .find({}, options)
          .sort({ _id: 1 });
        yield* segmentOf(database.databaseName, name, documents as AsyncIterable<Uint8Array>);
      }
    } finally {
      await session?.endSession();
    }
  } finally {
    await client.close();
  }
}

/** The names of a service's collections, without what restores have kept. Throws StartError for what is no collection. */
export async function collectionsOf(database: mongoose.mongo.Db): Promise<string[]> {
  const listed = await database.listCollections({}, { nameOnly: true }).toArray();
  const own = listed.filter(
    ({ name }) => ![KEPT_PREFIX, RESTORING_PREFIX, 'system.'].some((one) => name.startsWith(one)),
  );
  const other = own.find(({ type }) => type !== 'collection');
  if (other) throw new StartError(`${other.name} is a ${other.type}, which is not backed up`);
  return own.map(({ name }) => name).sort();
}
