import mongoose from 'mongoose';
import { Crc64 } from './crc64.js';

const { BSON } = mongoose.mongo;

/** The format of `mongodump --archive`, which `mongorestore --archive` reads: common/archive/spec.md of mongodb/mongo-tools. */
export const MAGIC = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);
export const TERMINATOR = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/** A collection in an archive. */
export interface ArchivedCollection {
  name: string;
  /** Its indexes as `listIndexes` gives them, that of `_id` too. */
  indexes: readonly mongoose.mongo.Document[];
}

/** The beginning of an archive. `serverVersion` has three numbers. */
export function preludeOf(
  database: string,
  collections: readonly ArchivedCollection[],
  serverVersion: string,
): Buffer {
  const header = {
    concurrent_collections: new BSON.Int32(1),
    version: '0.1',
    server_version: serverVersion,
    tool_version: 'pulso',
  };
  const metadata = collections.map(({ name, indexes }) => ({
    db: database,
    collection: name,
    metadata: BSON.EJSON.stringify(
      { options: {}, indexes, collectionName: name, type: 'collection' },
      { relaxed: false },
    ),
    size: new BSON.Int32(0),
    type: 'collection',
  }));
  const documents = [header, ...metadata].map((one) => Buffer.from(BSON.serialize(one)));
  return Buffer.concat([MAGIC, ...documents, TERMINATOR]);
}

/** One collection's documents, in BSON, with what stands before and after them. */
export async function* segmentOf(
  database: string,
  collection: string,
  documents: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const crc = new Crc64();
  const header = (isEnd: boolean) =>
    Buffer.from(
      BSON.serialize({
        db: database,
        collection,
        EOF: isEnd,
        CRC: BSON.Long.fromBigInt(isEnd ? crc.value() : 0n),
      }),
    );
  yield header(false);
  for await (const document of documents) {
    crc.update(document);
    yield Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  }
  yield Buffer.concat([TERMINATOR, header(true), TERMINATOR]);
}
