import { type Collection, type Document, Long, ObjectId, UUID } from 'mongodb';
import { failureOf, type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

let store: StoreUnderTest;
let rows: Collection<Document & { _id: number }>;

beforeAll(async () => {
  store = await startStoreUnderTest();
  rows = store.db.collection('rows');
  await rows.insertMany([
    { _id: 1, n: 5, s: 'b', tags: ['x', 'y'], deep: { k: 1 }, at: new Date(1_000) },
    { _id: 2, n: 7.5, s: 'a', tags: [], deep: { k: null }, at: new Date(2_000) },
    {
      _id: 3,
      n: Long.fromBigInt(2n ** 60n),
      s: 'é',
      list: [
        { p: 1, q: 1 },
        { p: 2, q: 3 },
      ],
    },
    { _id: 4, n: null, s: '😀', list: [{ p: 1, q: 3 }], flag: true },
    { _id: 5, s: '\uffff', n: 'text', flag: false, numbers: [1, 10] },
    {
      _id: 6,
      id: new ObjectId('0123456789abcdef01234567'),
      uuid: new UUID('00000000-0000-4000-8000-000000000001'),
    },
  ]);
});
afterAll(() => store.stop());

describe('filters', () => {
  test.each<[string, Document, number[]]>([
    ['equality', { n: 5 }, [1]],
    ['equality with null also finds missing fields', { n: null }, [4, 6]],
    ['equality in an array', { tags: 'x' }, [1]],
    ['equality of a whole array', { tags: ['x', 'y'] }, [1]],
    ['equality of an empty array', { tags: [] }, [2]],
    ['equality of a nested document', { deep: { k: 1 } }, [1]],
    ['dotted path', { 'deep.k': 1 }, [1]],
    ['dotted path with null', { 'deep.k': null }, [2, 3, 4, 5, 6]],
    ['dotted path into an array', { 'list.p': 2 }, [3]],
    ['dotted path by position', { 'list.0.q': 3 }, [4]],
    ['$eq and $ne', { s: { $ne: 'a' }, n: { $eq: 5 } }, [1]],
    ['$ne null', { n: { $ne: null } }, [1, 2, 3, 5]],
    ['$gt within the type only', { n: { $gt: 5 } }, [2, 3]],
    ['$gte and $lte', { n: { $gte: 5, $lte: 7.5 } }, [1, 2]],
    ['$lt on text by code point', { s: { $gt: '\uffff' } }, [4]],
    ['$lt on dates', { at: { $lt: new Date(2_000) } }, [1]],
    ['range on an array: each bound by some element', { numbers: { $gt: 4, $lt: 6 } }, [5]],
    ['$in with null', { n: { $in: [5, null] } }, [1, 4, 6]],
    ['$nin', { n: { $nin: [5, null] } }, [2, 3, 5]],
    ['$exists', { flag: { $exists: true } }, [4, 5]],
    ['$exists false', { 'deep.k': { $exists: false } }, [3, 4, 5, 6]],
    ['$not', { n: { $not: { $gt: 5 } } }, [1, 4, 5, 6]],
    ['$and', { $and: [{ n: { $gt: 1 } }, { s: 'a' }] }, [2]],
    ['$or', { $or: [{ s: 'a' }, { flag: true }] }, [2, 4]],
    ['$nor', { $nor: [{ s: 'a' }, { n: { $exists: true } }] }, [6]],
    ['$type by name', { n: { $type: 'string' } }, [5]],
    ['$type number', { n: { $type: 'number' } }, [1, 2, 3]],
    ['$type by code', { n: { $type: [16, 18] } }, [1, 3]],
    ['$size', { tags: { $size: 2 } }, [1]],
    ['$all', { tags: { $all: ['y', 'x'] } }, [1]],
    ['$elemMatch on documents', { list: { $elemMatch: { p: 1, q: 3 } } }, [4]],
    ['$elemMatch on values', { numbers: { $elemMatch: { $gt: 4, $lt: 6 } } }, []],
    ['64-bit integers exactly', { n: Long.fromBigInt(2n ** 60n + 1n) }, []],
    ['ObjectId', { id: new ObjectId('0123456789abcdef01234567') }, [6]],
    ['UUID', { uuid: new UUID('00000000-0000-4000-8000-000000000001') }, [6]],
    ['another UUID', { uuid: new UUID('00000000-0000-4000-8000-000000000002') }, []],
    ['boolean', { flag: false }, [5]],
  ])('%s', async (_, filter, ids) => {
    const found = await rows.find(filter).sort({ _id: 1 }).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(ids);
    expect(await rows.countDocuments(filter)).toBe(ids.length);
  });
});

describe('sort, skip, limit, projection', () => {
  test('sorts by MongoDB’s order between types', async () => {
    const sorted = await rows.find({}).sort({ n: 1, _id: 1 }).toArray();
    expect(sorted.map(({ _id }) => _id)).toEqual([4, 6, 1, 2, 3, 5]);
    const backwards = await rows.find({}).sort({ s: -1, _id: 1 }).toArray();
    expect(backwards.map(({ _id }) => _id)).toEqual([4, 5, 3, 1, 2, 6]);
  });

  test('skips and limits', async () => {
    const page = await rows.find({}).sort({ _id: -1 }).skip(1).limit(2).toArray();
    expect(page.map(({ _id }) => _id)).toEqual([5, 4]);
  });

  test.each<[string, Document, Document]>([
    ['inclusion', { s: 1, none: 1 }, { _id: 3, s: 'é' }],
    ['inclusion without _id', { s: 1, _id: 0 }, { s: 'é' }],
    ['only _id', { _id: 1 }, { _id: 3 }],
    ['inclusion below an array', { 'list.q': 1 }, { _id: 3, list: [{ q: 1 }, { q: 3 }] }],
    ['exclusion', { list: 0, n: false }, { _id: 3, s: 'é' }],
    ['exclusion below an array', { 'list.q': 0, n: 0, s: 0 }, { _id: 3, list: [{ p: 1 }, { p: 2 }] }],
  ])('projects by %s', async (_, projection, expected) => {
    expect(await rows.findOne({ _id: 3 }, { projection })).toEqual(expected);
  });

  test('refuses a mixed projection', async () => {
    expect(await failureOf(rows.findOne({ _id: 3 }, { projection: { a: 1, b: 0 } }))).toMatchObject({
      code: 31254,
    });
  });
});

describe('cursors', () => {
  const many = (): Collection<{ _id: number; even: boolean }> => store.db.collection('many');

  beforeAll(async () => {
    await many().insertMany(Array.from({ length: 2_500 }, (_, _id) => ({ _id, even: _id % 2 === 0 })));
    await many().createIndex({ even: 1, _id: -1 });
  });

  test('deliver everything once, in order, over several batches', async () => {
    const all = await many().find({}).sort({ _id: 1 }).batchSize(173).toArray();
    expect(all.map(({ _id }) => _id)).toEqual(Array.from({ length: 2_500 }, (_, n) => n));
    const even = await many().find({ even: true }).sort({ _id: -1 }).batchSize(99).limit(900).toArray();
    expect(even.map(({ _id }) => _id)).toEqual(Array.from({ length: 900 }, (_, n) => 2_498 - 2 * n));
  });

  test('go on past documents deleted and inserted behind them', async () => {
    const cursor = many().find({ even: false }).sort({ _id: -1 }).batchSize(10);
    const seen: number[] = [];
    for await (const { _id } of cursor) {
      seen.push(_id);
      if (seen.length === 5) await many().deleteOne({ _id: 1 });
      if (seen.length === 7) await many().insertOne({ _id: 5_001, even: false });
    }
    expect(seen).toEqual(Array.from({ length: 1_249 }, (_, n) => 2_499 - 2 * n));
    await many().deleteOne({ _id: 5_001 });
    await many().insertOne({ _id: 1, even: false });
  });

  test('end when killed', async () => {
    const cursor = many().find({}).sort({ _id: 1 }).batchSize(10);
    await cursor.next();
    const id = cursor.id!;
    await cursor.close();
    expect(await failureOf(store.db.command({ getMore: id, collection: 'many' }))).toMatchObject({
      code: 43,
      codeName: 'CursorNotFound',
    });
  });

  test('stop when time is up', async () => {
    const slow = many()
      .find({ $nor: [{ even: true }, { even: false }] })
      .sort({ _id: 1 });
    if (!store.embedded) return;
    expect(await failureOf(slow.toArray())).toMatchObject({ code: 291 });
  });
});

describe('aggregate, count, distinct', () => {
  const sales = (): Collection => store.db.collection('sales');

  beforeAll(async () => {
    await sales().insertMany([
      { shop: 'a', items: [1, 2], total: 10, at: new Date(1) },
      { shop: 'b', items: [3], total: 20, at: new Date(2) },
      { shop: 'a', items: [], total: 5.5, at: new Date(3) },
    ]);
    await sales().createIndex({ shop: 1, total: 1 });
  });

  test('groups with accumulators', async () => {
    const groups = await sales()
      .aggregate([
        { $match: { shop: { $in: ['a', 'b'] } } },
        {
          $group: {
            _id: '$shop',
            n: { $sum: 1 },
            sum: { $sum: '$total' },
            mean: { $avg: '$total' },
            least: { $min: '$total' },
            last: { $max: '$at' },
            totals: { $push: '$total' },
          },
        },
        { $sort: { _id: 1 } },
        { $limit: 5 },
      ])
      .toArray();
    expect(groups).toEqual([
      { _id: 'a', n: 2, sum: 15.5, mean: 7.75, least: 5.5, last: new Date(3), totals: [5.5, 10] },
      { _id: 'b', n: 1, sum: 20, mean: 20, least: 20, last: new Date(2), totals: [20] },
    ]);
  });

  test('projects, computes, unwinds and counts', async () => {
    const doubled = await sales()
      .aggregate([
        { $match: { shop: 'a' } },
        { $sort: { total: 1 } },
        { $limit: 1 },
        {
          $addFields: {
            double: { $multiply: ['$total', 2] },
            dear: { $cond: [{ $gt: ['$total', 8] }, 'yes', 'no'] },
          },
        },
        { $project: { _id: 0, double: 1, dear: 1, shopName: '$shop' } },
      ])
      .toArray();
    expect(doubled).toEqual([{ double: 11, dear: 'no', shopName: 'a' }]);
    const items = await sales()
      .aggregate([
        { $match: { shop: 'a' } },
        { $unwind: '$items' },
        { $project: { _id: 0, items: 1 } },
        { $sort: { items: 1 } },
      ])
      .toArray();
    expect(items).toEqual([{ items: 1 }, { items: 2 }]);
    expect(
      await sales()
        .aggregate([{ $match: { shop: 'a' } }, { $count: 'n' }])
        .toArray(),
    ).toEqual([{ n: 2 }]);
    expect(
      await sales()
        .aggregate([{ $match: { shop: 'none' } }, { $count: 'n' }])
        .toArray(),
    ).toEqual([]);
  });

  test('counts and lists distinct values', async () => {
    expect(await sales().countDocuments({ shop: 'a', total: { $gt: 6 } })).toBe(1);
    expect(await sales().countDocuments({ shop: 'a' }, { skip: 1, limit: 5 })).toBe(1);
    expect(await sales().estimatedDocumentCount()).toBe(3);
    expect((await sales().distinct('items', { shop: 'a' })).toSorted()).toEqual([1, 2]);
    expect(await store.db.collection('nothing').countDocuments({ a: 1 })).toBe(0);
  });
});
