import mongoose from 'mongoose';
import { buffer } from 'node:stream/consumers';
import { dumpDocuments } from '../../src/backup/dump-documents.js';
import { forgetDocuments, restoreDocuments } from '../../src/backup/restore-documents.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';

const { Binary, Double, Int32, Long, MongoClient, ObjectId } = mongoose.mongo;
const KEPT = 'before_restore_20261127_204500';

interface Row {
  _id: string;
}

async function aDatabase() {
  const database = aMongoDatabase('backup');
  const client = await new MongoClient(database.url).connect();
  onTestEnd(async () => {
    await client.close();
    await database.drop();
  });
  return { url: database.url, db: client.db() };
}

async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

/** The documents as bytes, so that a number of another kind is another document. */
async function rawRows(db: mongoose.mongo.Db, collection: string): Promise<string[]> {
  const rows = await db.collection(collection).find({}, { raw: true }).sort({ _id: 1 }).toArray();
  return rows.map((row) => Buffer.from(row as unknown as Uint8Array).toString('hex'));
}

describe('a dump of documents', () => {
  it('brings back every document, value and index', async () => {
    const { url, db } = await aDatabase();
    const values = {
      ...{ text: 'Größe 💪', empty: null, flag: true, list: [1, 'a', { deep: new Date(0) }] },
      ...{ id: new ObjectId(), bytes: new Binary(Buffer.from([1, 2]), 0), uuid: new mongoose.mongo.UUID() },
      ...{ int: new Int32(1), double: new Double(1), long: Long.fromBigInt(2n ** 60n) },
    };
    await db
      .collection<Row>('posts')
      .insertMany([
        { _id: 'a', ...values } as Row,
        ...Array.from({ length: 2_500 }, (_, n) => ({ _id: `b${n}`, n })),
      ]);
    await db.collection('posts').createIndexes([
      { key: { n: 1, _id: -1 }, name: 'newest' },
      { key: { text: 1 }, name: 'texts', unique: true, sparse: true },
    ]);
    await db.collection('likes').createIndex({ postId: 1 });
    const before = await rawRows(db, 'posts');
    const dump = await buffer(dumpDocuments(url));

    await db.collection<Row>('posts').deleteOne({ _id: 'a' });
    await db.collection<Row>('added').insertOne({ _id: 'later' });
    expect(await restoreDocuments(url, chunksOf(dump), KEPT)).toBe(2_501);

    expect(await rawRows(db, 'posts')).toEqual(before);
    expect(await db.collection('posts').listIndexes().toArray()).toMatchObject([
      { name: '_id_' },
      { name: 'newest', key: { n: 1, _id: -1 } },
      { name: 'texts', unique: true, sparse: true },
    ]);
    expect(await db.collection('likes').listIndexes().toArray()).toHaveLength(2);
    expect(await rawRows(db, 'likes')).toEqual([]);
    expect(await namesOf(db)).toEqual([
      ...['added', 'likes', 'posts'].map((name) => `${KEPT}.${name}`),
      'likes',
      'posts',
    ]);
    expect(await rawRows(db, `${KEPT}.posts`)).toHaveLength(2_500);
  });

  it('does not hold what a restore has kept, and this is dropped on its own', async () => {
    const { url, db } = await aDatabase();
    await db.collection<Row>('posts').insertOne({ _id: 'a' });
    await restoreDocuments(url, chunksOf(await buffer(dumpDocuments(url))), KEPT);
    const dump = await buffer(dumpDocuments(url));
    expect(dump.includes(KEPT)).toBe(false);
    await forgetDocuments(url, KEPT);
    expect(await namesOf(db)).toEqual(['posts']);
    await expect(forgetDocuments(url, KEPT)).rejects.toThrow(`the database has no collection of ${KEPT}`);
  });

  it('that was cut off changes nothing, and the next restore succeeds', async () => {
    const { url, db } = await aDatabase();
    await db.collection<Row>('posts').insertMany(Array.from({ length: 1_500 }, (_, n) => ({ _id: `${n}` })));
    const dump = await buffer(dumpDocuments(url));
    await db.collection<Row>('posts').insertOne({ _id: 'newer' });
    const present = await rawRows(db, 'posts');

    await expect(restoreDocuments(url, chunksOf(dump.subarray(0, -20)), KEPT)).rejects.toThrow(
      'the archive of documents is damaged',
    );
    expect(await rawRows(db, 'posts')).toEqual(present);
    expect(await namesOf(db)).not.toContain(`${KEPT}.posts`);

    await restoreDocuments(url, chunksOf(dump), KEPT);
    expect(await db.collection('posts').countDocuments({})).toBe(1_500);
    expect(await namesOf(db)).toEqual([`${KEPT}.posts`, 'posts']);
  });
});

const namesOf = async (db: mongoose.mongo.Db) =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
