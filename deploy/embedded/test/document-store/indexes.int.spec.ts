import { jest } from '@jest/globals';
import type { Collection, Document, Filter, FindOptions } from 'mongodb';
import mongoose, { Schema } from 'mongoose';
import { CollectionStore } from '../../src/document-store/store/collection.store.js';
import { failureOf, type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

type Row = Document & { _id: string };

let store: StoreUnderTest;
let rows: Collection<Row>;

beforeAll(async () => {
  store = await startStoreUnderTest();
});
afterAll(() => store?.stop());

beforeEach(async () => {
  rows = store.db.collection<Row>('rows');
  await store.db.dropDatabase();
});

/** `count` documents `{ _id: '0007', group: n % 3, n }`. */
async function insertRows(count: number): Promise<void> {
  await rows.insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: String(n).padStart(5, '0'), group: n % 3, n })),
  );
}

describe('management', () => {
  test('creates and lists indexes', async () => {
    expect(await rows.createIndex({ a: 1, b: -1 })).toBe('a_1_b_-1');
    await rows.createIndex({ a: 1, b: -1 });
    await rows.createIndexes([
      { key: { c: 1 }, name: 'unique-c', unique: true },
      { key: { d: 1 }, sparse: true },
    ]);
    expect(await rows.listIndexes().toArray()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
      { v: 2, key: { c: 1 }, name: 'unique-c', unique: true },
      { v: 2, key: { d: 1 }, name: 'd_1', sparse: true },
    ]);
  });

  test('refuses another index with the same name, and the same index with another name', async () => {
    await rows.createIndex({ a: 1 }, { name: 'one' });
    expect(await failureOf(rows.createIndex({ b: 1 }, { name: 'one' }))).toMatchObject({ code: 86 });
    expect(await failureOf(rows.createIndex({ a: 1 }, { name: 'two' }))).toMatchObject({ code: 85 });
  });

  test('drops one database only', async () => {
    await insertRows(1);
    const other = store.client.db(`${store.db.databaseName}_other`).collection('rows');
    await other.insertOne({ kept: true });
    await store.db.dropDatabase();
    expect(await rows.countDocuments({})).toBe(0);
    expect(await failureOf(store.db.command({ listIndexes: 'rows' }))).toMatchObject({ code: 26 });
    expect(await other.countDocuments({})).toBe(1);
    await store.client.db(`${store.db.databaseName}_other`).dropDatabase();
  });
});

describe('unique', () => {
  test('refuses a second key with MongoDB’s code, pattern and value', async () => {
    await rows.createIndex({ 'mail.address': 1, kind: 1 }, { unique: true });
    await rows.insertOne({ _id: 'a', mail: { address: 'x@y' }, kind: 1 });
    await rows.insertOne({ _id: 'b', mail: { address: 'x@y' }, kind: 2 });
    const failure = await failureOf(rows.insertOne({ _id: 'c', mail: { address: 'x@y' }, kind: 2 }));
    expect(failure.code).toBe(11000);
    expect(failure.message).toContain('E11000 duplicate key error collection');
    expect(failure['keyPattern']).toEqual({ 'mail.address': 1, kind: 1 });
    expect(failure['keyValue']).toEqual({ 'mail.address': 'x@y', kind: 2 });
    expect(await failureOf(rows.updateOne({ _id: 'a' }, { $set: { kind: 2 } }))).toMatchObject({
      code: 11000,
    });
    expect(await failureOf(rows.insertOne({ _id: 'a' }))).toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
    });
    expect(await rows.countDocuments({ 'mail.address': 'x@y' })).toBe(2);
  });

  test('counts a missing field as null, unless a sparse index leaves it out', async () => {
    await rows.createIndex({ strict: 1 }, { unique: true });
    await rows.insertOne({ _id: '1' });
    expect(await failureOf(rows.insertOne({ _id: '2', strict: null }))).toMatchObject({ code: 11000 });
    const sparse = store.db.collection<Row>('sparse');
    await sparse.createIndex({ loose: 1 }, { unique: true, sparse: true });
    await sparse.insertMany([{ _id: '1' }, { _id: '2' }, { _id: '3', loose: null }]);
    expect(await failureOf(sparse.insertOne({ _id: '4', loose: null }))).toMatchObject({ code: 11000 });
    await sparse.updateOne({ _id: '3' }, { $unset: { loose: '' } });
    await sparse.insertOne({ _id: '4', loose: null });
  });

  test('is not built over duplicates', async () => {
    await insertRows(6);
    expect(await failureOf(rows.createIndex({ group: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect(await rows.indexes()).toHaveLength(1);
    await rows.createIndex({ n: 1 }, { unique: true });
    expect(await rows.find({ n: 4 }).toArray()).toMatchObject([{ _id: '00004' }]);
  });

  test('applies to each element of an array', async () => {
    await rows.createIndex({ tags: 1 }, { unique: true });
    await rows.insertOne({ _id: 'a', tags: ['x', 'y', 'x'] });
    expect(await failureOf(rows.insertOne({ _id: 'b', tags: ['z', 'y'] }))).toMatchObject({ code: 11000 });
    await rows.updateOne({ _id: 'a' }, { $set: { tags: ['x'] } });
    await rows.insertOne({ _id: 'b', tags: ['z', 'y'] });
    expect(await rows.find({ tags: { $in: ['x', 'z'] } }).toArray()).toHaveLength(2);
  });
});

describe('queries by index', () => {
  test('equality prefix, range and order beyond 1,000 documents', async () => {
    await insertRows(3_500);
    await rows.createIndex({ group: 1, n: -1 });
    const page = await rows
      .find({ group: 1, n: { $lt: 3_000 } })
      .sort({ n: -1 })
      .limit(3)
      .toArray();
    expect(page.map(({ n }) => n)).toEqual([2_998, 2_995, 2_992]);
    const backwards = await rows.find({ group: 1 }).sort({ n: 1 }).limit(2).toArray();
    expect(backwards.map(({ n }) => n)).toEqual([1, 4]);
    expect(await rows.countDocuments({ group: 2 })).toBe(1_166);
    expect(await rows.countDocuments({ group: 2, n: { $gte: 2, $lt: 8 } })).toBe(2);
  });

  test('reads documents by any number of ids, in the order asked for', async () => {
    await insertRows(1_300);
    const ids = Array.from({ length: 2_600 }, (_, n) => String(n).padStart(5, '0'));
    const found = await rows
      .find({ _id: { $in: [...ids, ...ids] }, group: 2 })
      .sort({ _id: -1 })
      .batchSize(100)
      .toArray();
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 433 }, (_, n) => 1_298 - 3 * n));
    expect(await rows.countDocuments({ _id: { $in: ids } })).toBe(1_300);
  });

  test('finds by several values of a prefix, in the order asked for up to 1,000 documents', async () => {
    await insertRows(3_500);
    await rows.createIndex({ group: 1, n: -1, _id: -1 });
    const few = await rows
      .find({ group: { $in: [2, 0] }, n: { $gte: 3_000 } })
      .sort({ n: -1, _id: -1 })
      .limit(5)
      .toArray();
    expect(few.map(({ n }) => n)).toEqual([3_498, 3_497, 3_495, 3_494, 3_492]);
    expect(await rows.countDocuments({ group: { $in: [2, 0] } })).toBe(2_333);
    if (!store.embedded) return;
    const many = rows.find({ group: { $in: [2, 0] } }).sort({ n: -1, _id: -1 });
    expect(await failureOf(many.toArray())).toMatchObject({ code: 292 });
  });

  test('sparse indexes serve the queries whose documents they all contain', async () => {
    await insertRows(1_500);
    await rows.createIndex({ dirtyAt: 1 }, { sparse: true });
    await rows.updateMany({ _id: { $in: ['00003', '00007'] } }, { $set: { dirtyAt: new Date(5) } });
    await rows.updateOne({ _id: '00005' }, { $set: { dirtyAt: new Date(1) } });
    const dirty = await rows
      .find({ dirtyAt: { $exists: true } })
      .sort({ dirtyAt: 1 })
      .limit(2)
      .toArray();
    expect(dirty.map(({ _id }) => _id)).toEqual(['00005', '00003']);
    expect(await rows.countDocuments({ dirtyAt: { $lte: new Date(5) } })).toBe(3);
    await rows.updateOne({ _id: '00005' }, { $unset: { dirtyAt: '' } });
    expect(await rows.countDocuments({ dirtyAt: { $exists: true } })).toBe(2);
  });

  describe('that has all that is asked for', () => {
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n);
    beforeEach(async () => {
      await rows.createIndex({ open: 1, owner: 1, n: -1 });
      await rows.createIndex({ owner: 1, at: -1 });
      const owners = ['ana', 'ben', 'b\u0000\u0001é'];
      await rows.insertMany(
        Array.from({ length: 1_500 }, (_, n) => ({
          ...{ _id: String(n).padStart(5, '0'), owner: owners[n % 3], open: n % 2 === 0, n, at: at(n) },
          text: 'x'.repeat(100),
        })),
      );
    });

    /** What a query answers, and how many documents it reads. */
    async function read(filter: Filter<Row>, options: FindOptions): Promise<[Document[], number]> {
      if (!store.embedded) {
        const { executionStats } = (await rows.find(filter, options).explain('executionStats')) as {
          executionStats: { totalDocsExamined: number };
        };
        return [await rows.find(filter, options).toArray(), executionStats.totalDocsExamined];
      }
      const reads = jest.spyOn(CollectionStore.prototype, 'read');
      try {
        return [await rows.find(filter, options).toArray(), reads.mock.calls.length];
      } finally {
        reads.mockRestore();
      }
    }

    test('reads no document', async () => {
      const byOwner = { projection: { owner: 1, _id: 0 }, sort: { owner: 1, n: -1 } } as const;
      const [owners, read0] = await read({ open: true }, { ...byOwner, limit: 501 });
      expect(owners.map(({ owner }) => String(owner))).toEqual([
        ...Array.from({ length: 250 }, () => 'ana'),
        ...Array.from({ length: 250 }, () => 'b\u0000\u0001é'),
        'ben',
      ]);
      expect([Object.keys(owners[0]!), read0]).toEqual([['owner'], 0]);
      const since = { owner: 'ben', at: { $gte: at(1_490) } };
      expect(await read(since, { projection: { at: 1, owner: 1, _id: 0 }, sort: { at: -1 } })).toEqual([
        [1_498, 1_495, 1_492].map((n) => ({ owner: 'ben', at: at(n) })),
        0,
      ]);
    });

    test('reads them for anything else', async () => {
      const few = { open: true, owner: 'ana' };
      const everything = await read(few, { limit: 10 });
      expect(everything[1]).toBe(10);
      // The index has forgotten which type a number is of.
      const [numbers] = await read(few, { projection: { n: 1, _id: 0 }, sort: { n: -1 }, limit: 2 });
      expect(numbers).toEqual([{ n: 1_494 }, { n: 1_488 }]);
      const other = { open: true, owner: 'ana', text: { $ne: 'y' } };
      expect((await read(other, { projection: { owner: 1, _id: 0 }, limit: 10 }))[1]).toBe(10);
      await rows.updateOne({ _id: '00000' }, { $set: { owner: ['ana', 'eve'] } });
      const [owners] = await read({ open: true, owner: 'eve' }, { projection: { owner: 1, _id: 0 } });
      expect(owners).toEqual([{ owner: ['ana', 'eve'] }]);
    });
  });

  test('finds array elements once, and by each bound separately', async () => {
    await insertRows(1_500);
    await rows.createIndex({ 'list.v': 1 });
    await rows.updateOne({ _id: '00001' }, { $set: { list: [{ v: 1 }, { v: 10 }, { v: 12 }] } });
    await rows.updateOne({ _id: '00002' }, { $set: { list: [{ v: 11 }] } });
    expect((await rows.find({ 'list.v': { $gte: 10 } }).toArray()).map(({ _id }) => _id).toSorted()).toEqual([
      '00001',
      '00002',
    ]);
    expect(await rows.find({ 'list.v': { $gt: 3, $lt: 9 } }).toArray()).toMatchObject([{ _id: '00001' }]);
    expect(await rows.countDocuments({ 'list.v': { $in: [1, 12, 11] } })).toBe(2);
  });

  test('refuses two arrays in one key', async () => {
    await rows.createIndex({ a: 1, b: 1 });
    await rows.insertOne({ _id: 'one', a: [1, 2], b: 3 });
    expect(await failureOf(rows.insertOne({ _id: 'two', a: [1], b: [2] }))).toMatchObject({ code: 171 });
  });

  test('follows every change of a document', async () => {
    await rows.createIndex({ n: 1 });
    await insertRows(1_200);
    await rows.updateMany({ n: { $lt: 100 } }, { $inc: { n: 10_000 } });
    await rows.deleteMany({ n: { $gte: 10_050 } });
    expect(await rows.countDocuments({ n: { $lt: 100 } })).toBe(0);
    expect(await rows.countDocuments({ n: { $gte: 10_000 } })).toBe(50);
    await rows.updateOne({ _id: '00000' }, { $unset: { n: '' } });
    expect(await rows.countDocuments({ n: { $gte: 10_000 } })).toBe(49);
  });
});

test('mongoose: schema indexes, documents, populate and timestamps', async () => {
  const connection = mongoose.createConnection();
  try {
    await connection.openUri(store.url, {
      dbName: store.db.databaseName,
      autoIndex: false,
      autoCreate: false,
      writeConcern: { w: 'majority' },
      readConcern: { level: 'majority' },
    });
    const authors = new Schema({ _id: String, name: { type: String, required: true } });
    const posts = new Schema(
      { author: { type: String, ref: 'Author' }, body: String, likes: { type: [String], default: [] } },
      { timestamps: true },
    );
    posts.index({ author: 1, createdAt: -1, _id: -1 });
    const Author = connection.model('Author', authors);
    const Post = connection.model('Post', posts);
    await Post.createIndexes();
    await Author.create({ _id: 'ann', name: 'Ann' });
    const post = await Post.create({ author: 'ann', body: 'one' });
    post.body = 'two';
    post.likes = ['bob'];
    await post.save();
    const [found] = await Post.find({ author: 'ann' })
      .sort({ createdAt: -1, _id: -1 })
      .limit(1)
      .populate<{ author: { name: string } }>('author')
      .exec();
    expect(found).toMatchObject({ body: 'two', author: { name: 'Ann' } });
    expect(found!.likes).toEqual(['bob']);
    expect(await Post.exists({ _id: post._id })).not.toBeNull();
    expect(await Post.countDocuments({ author: 'ann' })).toBe(1);
    expect(
      await Post.findOneAndUpdate(
        { _id: post._id },
        { $set: { body: 'three' } },
        { returnDocument: 'after' },
      ),
    ).toMatchObject({ body: 'three' });
    expect(await Post.diffIndexes()).toMatchObject({ toCreate: [], toDrop: [] });
    expect((await Post.deleteOne({ _id: post._id })).deletedCount).toBe(1);
  } finally {
    await connection.close();
  }
});
