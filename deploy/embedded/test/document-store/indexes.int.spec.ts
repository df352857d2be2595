import type { Collection, Document } from 'mongodb';
import mongoose, { Schema } from 'mongoose';
import { failureOf, type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

type Row = Document & { _id: string };

let store: StoreUnderTest;
let rows: Collection<Row>;

beforeAll(async () => {
  store = await startStoreUnderTest();
});
afterAll(() => store.stop());

beforeEach(async () => {
  rows = store.db.collection<Row>('rows');
  await rows.drop();
});

/** `count` documents `{ _id: '0007', group: n % 3, n }`. */
async function insertRows(count: number): Promise<void> {
  await rows.insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: String(n).padStart(5, '0'), group: n % 3, n })),
  );
}

describe('management', () => {
  test('creates, lists and drops indexes', async () => {
    expect(await rows.createIndex({ a: 1, b: -1 })).toBe('a_1_b_-1');
    await rows.createIndex({ a: 1, b: -1 });
    await rows.createIndexes([
      { key: { c: 1 }, name: 'unique-c', unique: true },
      { key: { d: 1 }, sparse: true },
      { key: { e: 1 }, partialFilterExpression: { e: { $gt: 5 } } },
    ]);
    expect(await rows.listIndexes().toArray()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
      { v: 2, key: { c: 1 }, name: 'unique-c', unique: true },
      { v: 2, key: { d: 1 }, name: 'd_1', sparse: true },
      { v: 2, key: { e: 1 }, name: 'e_1', partialFilterExpression: { e: { $gt: 5 } } },
    ]);
    await rows.dropIndex('unique-c');
    expect(await failureOf(rows.dropIndex('unique-c'))).toMatchObject({
      code: 27,
      codeName: 'IndexNotFound',
    });
    expect(await failureOf(rows.dropIndex('_id_'))).toMatchObject({ code: 72 });
    await rows.dropIndexes();
    expect(await rows.indexes()).toHaveLength(1);
  });

  test('refuses another index of the same name, or the same index under another', async () => {
    await rows.createIndex({ a: 1 }, { name: 'one' });
    expect(await failureOf(rows.createIndex({ b: 1 }, { name: 'one' }))).toMatchObject({ code: 86 });
    expect(await failureOf(rows.createIndex({ a: 1 }, { name: 'two' }))).toMatchObject({ code: 85 });
  });

  test('lists collections and databases, drops them', async () => {
    await insertRows(1);
    await store.db.createCollection('empty');
    expect(await failureOf(store.db.command({ create: 'empty' }))).toMatchObject({ code: 48 });
    const names = (await store.db.listCollections().toArray()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['empty', 'rows']);
    expect(await store.db.listCollections({ name: 'rows' }, { nameOnly: true }).toArray()).toEqual([
      { name: 'rows', type: 'collection' },
    ]);
    const { databases } = await store.client.db('admin').admin().listDatabases();
    expect(databases.map(({ name }) => name)).toContain(store.db.databaseName);
    await store.db.dropDatabase();
    expect(await store.db.listCollections().toArray()).toEqual([]);
    expect(await failureOf(store.db.command({ listIndexes: 'rows' }))).toMatchObject({ code: 26 });
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

  test('counts a missing field as null, unless sparse or partial leaves it out', async () => {
    await rows.createIndex({ strict: 1 }, { unique: true });
    await rows.insertOne({ _id: '1' });
    expect(await failureOf(rows.insertOne({ _id: '2', strict: null }))).toMatchObject({ code: 11000 });
    await rows.dropIndexes();
    await rows.createIndex({ strict: 1 }, { unique: true, sparse: true });
    await rows.insertOne({ _id: '3' });
    await rows.createIndex({ k: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await rows.insertMany([
      { _id: '4', k: 1, live: true },
      { _id: '5', k: 1, live: false },
    ]);
    expect(await failureOf(rows.updateOne({ _id: '5' }, { $set: { live: true } }))).toMatchObject({
      code: 11000,
    });
    await rows.updateOne({ _id: '4' }, { $set: { live: false } });
    await rows.updateOne({ _id: '5' }, { $set: { live: true } });
  });

  test('is not built over duplicates', async () => {
    await insertRows(6);
    expect(await failureOf(rows.createIndex({ group: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect(await rows.indexes()).toHaveLength(1);
    await rows.createIndex({ n: 1 }, { unique: true });
    expect(await rows.find({ n: 4 }).toArray()).toMatchObject([{ _id: '00004' }]);
  });

  test('holds for each element of an array', async () => {
    await rows.createIndex({ tags: 1 }, { unique: true });
    await rows.insertOne({ _id: 'a', tags: ['x', 'y', 'x'] });
    expect(await failureOf(rows.insertOne({ _id: 'b', tags: ['z', 'y'] }))).toMatchObject({ code: 11000 });
    await rows.updateOne({ _id: 'a' }, { $pull: { tags: 'y' } } as never);
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
      .skip(1)
      .batchSize(100)
      .toArray();
    expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 432 }, (_, n) => 1_295 - 3 * n));
    expect(await rows.countDocuments({ _id: { $in: ids } })).toBe(1_300);
  });

  test('merges the values of $in, and the branches of $or, in the order asked for', async () => {
    await insertRows(3_500);
    await rows.createIndex({ group: 1, n: -1, _id: -1 });
    const merged = await rows
      .find({ group: { $in: [2, 0] } })
      .sort({ n: -1, _id: -1 })
      .limit(5)
      .toArray();
    expect(merged.map(({ n }) => n)).toEqual([3_498, 3_497, 3_495, 3_494, 3_492]);
    const after = await rows
      .find({ group: 1, $or: [{ n: { $lt: 3_000 } }, { n: 3_001, _id: { $lt: '9' } }] })
      .sort({ n: -1, _id: -1 })
      .limit(3)
      .toArray();
    expect(after.map(({ n }) => n)).toEqual([3_001, 2_998, 2_995]);
  });

  test('sparse and partial indexes serve the queries they hold all documents of', async () => {
    await insertRows(1_500);
    await rows.createIndex({ dirtyAt: 1 }, { sparse: true });
    await rows.createIndex({ score: -1 }, { partialFilterExpression: { live: true } });
    await rows.updateMany(
      { _id: { $in: ['00003', '00007'] } },
      { $set: { dirtyAt: new Date(5), score: 3, live: true } },
    );
    await rows.updateOne({ _id: '00005' }, { $set: { dirtyAt: new Date(1), score: 9, live: true } });
    const dirty = await rows
      .find({ dirtyAt: { $exists: true } })
      .sort({ dirtyAt: 1 })
      .limit(2)
      .toArray();
    expect(dirty.map(({ _id }) => _id)).toEqual(['00005', '00003']);
    expect(await rows.countDocuments({ dirtyAt: { $lte: new Date(5) } })).toBe(3);
    const best = await rows
      .find({ live: true, score: { $gt: 2 } })
      .sort({ score: -1 })
      .limit(1)
      .toArray();
    expect(best.map(({ _id }) => _id)).toEqual(['00005']);
    await rows.updateOne({ _id: '00005' }, { $unset: { dirtyAt: '' }, $set: { live: false } });
    expect(await rows.countDocuments({ dirtyAt: { $exists: true } })).toBe(2);
    expect(await rows.countDocuments({ live: true, score: { $gte: 3 } })).toBe(2);
  });

  test('finds array elements once, and by each bound apart', async () => {
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
    await rows.replaceOne({ _id: '00000' }, { other: 1 } as never);
    expect(await rows.countDocuments({ n: { $gte: 10_000 } })).toBe(49);
  });
});

test('mongoose: schema indexes, documents, populate and timestamps', async () => {
  const connection = mongoose.createConnection();
  await connection.openUri(
    store.client.options.hosts.map((host) => `mongodb://${host.toString()}/`).join(''),
    {
      dbName: store.db.databaseName,
      autoIndex: false,
      autoCreate: false,
      directConnection: true,
      writeConcern: { w: 'majority' },
      readConcern: { level: 'majority' },
    },
  );
  try {
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
    post.likes.push('bob');
    await post.save();
    const [found] = await Post.find({ author: 'ann' })
      .sort({ createdAt: -1, _id: -1 })
      .limit(1)
      .populate<{ author: { name: string } }>('author')
      .exec();
    expect(found).toMatchObject({ body: 'two', author: { name: 'Ann' }, __v: 1 });
    expect(found!.likes).toEqual(['bob']);
    expect(await Post.exists({ _id: post._id })).not.toBeNull();
    expect(await Post.countDocuments({ author: 'ann' })).toBe(1);
    expect(await Post.findByIdAndDelete(post._id)).toMatchObject({ body: 'two' });
  } finally {
    await connection.close();
  }
});
