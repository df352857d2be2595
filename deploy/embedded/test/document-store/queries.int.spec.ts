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
afterAll(() => store?.stop());

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
    ['$ne beside an equality', { s: { $ne: 'a' }, n: 5 }, [1]],
    ['$ne null', { n: { $ne: null } }, [1, 2, 3, 5]],
    ['$gt within the type only', { n: { $gt: 5 } }, [2, 3]],
    ['$gte and $lte', { n: { $gte: 5, $lte: 7.5 } }, [1, 2]],
    ['$lt on text by code point', { s: { $gt: '\uffff' } }, [4]],
    ['$lt on dates', { at: { $lt: new Date(2_000) } }, [1]],
    ['range on an array: each bound by some element', { numbers: { $gt: 4, $lt: 6 } }, [5]],
    ['$in with null', { n: { $in: [5, null] } }, [1, 4, 6]],
    ['$nin', { n: { $nin: [5, null] } }, [2, 3, 5]],
    ['equality of an array in an array', { tags: [['x', 'y']] }, []],
    ['$gte null', { n: { $gte: null } }, [4, 6]],
    ['$exists', { flag: { $exists: true } }, [4, 5]],
    ['$exists false', { 'deep.k': { $exists: false } }, [3, 4, 5, 6]],
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

describe('sort, limit, projection', () => {
  test('sorts by MongoDB’s order between types', async () => {
    const sorted = await rows.find({}).sort({ n: 1, _id: 1 }).toArray();
    expect(sorted.map(({ _id }) => _id)).toEqual([4, 6, 1, 2, 3, 5]);
    const backwards = await rows.find({}).sort({ s: -1, _id: 1 }).toArray();
    expect(backwards.map(({ _id }) => _id)).toEqual([4, 5, 3, 1, 2, 6]);
  });

  test('limits', async () => {
    const page = await rows.find({}).sort({ _id: -1 }).limit(2).toArray();
    expect(page.map(({ _id }) => _id)).toEqual([6, 5]);
  });

  test.each<[string, Document, Document]>([
    ['inclusion', { s: 1, none: 1 }, { _id: 3, s: 'é' }],
    ['inclusion without _id', { s: 1, _id: 0 }, { s: 'é' }],
    ['only _id', { _id: 1 }, { _id: 3 }],
    ['exclusion', { list: 0, n: false }, { _id: 3, s: 'é' }],
    ['exclusion with _id', { list: 0, n: 0, _id: 0 }, { s: 'é' }],
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

  test('return everything once, in order, over several batches', async () => {
    const all = await many().find({}).sort({ _id: 1 }).batchSize(173).toArray();
    expect(all.map(({ _id }) => _id)).toEqual(Array.from({ length: 2_500 }, (_, n) => n));
    const even = await many().find({ even: true }).sort({ _id: -1 }).batchSize(99).limit(900).toArray();
    expect(even.map(({ _id }) => _id)).toEqual(Array.from({ length: 900 }, (_, n) => 2_498 - 2 * n));
  });

  test('continue past documents that are deleted and inserted meanwhile', async () => {
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

  test('refuse a full scan, also by operators that no index can serve', async () => {
    if (!store.embedded) return;
    const slow = many().find({ other: { $ne: null } });
    expect(await failureOf(slow.toArray())).toMatchObject({ code: 291 });
  });

  test('batches of listIndexes have the size asked for', async () => {
    const listed = await store.db.command({ listIndexes: 'many', cursor: { batchSize: 1 } });
    const { firstBatch, id } = listed['cursor'] as { firstBatch: unknown[]; id: Long | number };
    expect(firstBatch).toHaveLength(1);
    // The driver reads a small id as a number, which it would send as a double.
    const rest = await store.db.command({ getMore: Long.fromValue(id), collection: 'many' });
    expect(rest['cursor']).toMatchObject({ nextBatch: [{ name: 'even_1__id_-1' }] });
  });
});

describe('aggregate', () => {
  const sales = (): Collection => store.db.collection('sales');

  beforeAll(async () => {
    await sales().insertMany([
      { shop: 'a', items: [1, 2], total: 10, at: new Date(1) },
      { shop: 'b', items: [3], total: 20, at: new Date(2) },
      { shop: 'a', items: [], total: 5.5, at: new Date(3) },
      { items: [], total: 1 },
    ]);
    await sales().createIndex({ shop: 1, total: 1 });
  });

  test('sums by group', async () => {
    const groups = await sales()
      .aggregate([
        { $match: { shop: { $in: ['a', 'b', null] } } },
        { $group: { _id: '$shop', n: { $sum: 1 }, sum: { $sum: '$total' }, none: { $sum: '$items' } } },
        { $limit: 5 },
      ])
      .toArray();
    expect(groups.toSorted((a, b) => Number(a['sum']) - Number(b['sum']))).toEqual([
      { _id: null, n: 1, sum: 1, none: 0 },
      { _id: 'a', n: 2, sum: 15.5, none: 0 },
      { _id: 'b', n: 1, sum: 20, none: 0 },
    ]);
    const one = await sales()
      .aggregate([{ $group: { _id: '$shop', n: { $sum: 1 } } }, { $limit: 1 }])
      .toArray();
    expect(one).toHaveLength(1);
  });

  test('counts', async () => {
    expect(await sales().countDocuments({ shop: 'a', total: { $gt: 6 } })).toBe(1);
    expect(await sales().countDocuments({ shop: 'a' })).toBe(2);
    expect(await sales().countDocuments({ items: 3 })).toBe(1);
    expect(await sales().countDocuments({ items: 4 })).toBe(0);
    expect(await store.db.collection('nothing').countDocuments({ a: 1 })).toBe(0);
  });
});
