import { type Collection, type Document, Double, Int32, Long, ObjectId } from 'mongodb';
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

async function exact(id: string): Promise<Row | null> {
  return rows.findOne({ _id: id }, { promoteValues: false });
}

describe('insert', () => {
  test('adds a missing _id as the first field', async () => {
    const { insertedId } = await store.db.collection('rows').insertOne({ a: 1 });
    expect(insertedId).toBeInstanceOf(ObjectId);
    await store.db.command({ insert: 'rows', documents: [{ b: 2 }] });
    const made = await store.db.collection('rows').findOne({ b: 2 });
    expect(Object.keys(made!)).toEqual(['_id', 'b']);
  });

  test('keeps every BSON type unchanged', async () => {
    const row = {
      _id: 'types',
      int: new Int32(7),
      long: Long.fromBigInt(2n ** 60n + 1n),
      double: new Double(7),
      text: 'ж\0😀',
      nothing: null,
      yes: true,
      at: new Date(1_700_000_000_123),
      nested: { list: [new Int32(1), [new Double(2)], { deep: null }] },
    };
    await rows.insertOne(row);
    expect(await exact('types')).toEqual(row);
    await rows.updateOne({ _id: 'types' }, { $set: { touched: true } });
    expect(await exact('types')).toEqual({ ...row, touched: true });
  });

  test('ordered stops at the first error, unordered continues', async () => {
    await rows.insertOne({ _id: 'b' });
    const ordered = await failureOf(rows.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]));
    expect(ordered).toMatchObject({ code: 11000, insertedCount: 1 });
    const unordered = await failureOf(
      rows.insertMany([{ _id: 'c' }, { _id: 'b' }, { _id: 'a' }, { _id: 'd' }], { ordered: false }),
    );
    expect(unordered).toMatchObject({ code: 11000, insertedCount: 2 });
    expect(unordered['writeErrors']).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(await rows.countDocuments()).toBe(4);
  });

  test('refuses a document beyond 16 MB and an array as _id', async () => {
    const huge = 'x'.repeat(16 * 1024 * 1024 - 1024);
    await rows.insertOne({ _id: 'large', huge });
    expect((await rows.findOne({ _id: 'large' }))?.['huge']).toHaveLength(huge.length);
    await expect(rows.updateOne({ _id: 'large' }, { $set: { more: huge } })).rejects.toThrow();
    expect(await failureOf(store.db.collection('rows').insertOne({ _id: [1] as never }))).toMatchObject({
      code: expect.any(Number),
    });
  });
});

describe('update operators', () => {
  test('$set, $unset and $setOnInsert, on dotted paths', async () => {
    await rows.insertOne({ _id: 'u', a: { b: 1, c: 2 }, list: [1, 2], gone: true });
    await rows.updateOne(
      { _id: 'u' },
      { $set: { 'a.b': 9, 'x.y.z': 1 }, $unset: { gone: '', 'a.c': '', 'no.such': '', 'list.x': '' } },
    );
    expect(await rows.findOne({ _id: 'u' })).toEqual({
      _id: 'u',
      a: { b: 9 },
      list: [1, 2],
      x: { y: { z: 1 } },
    });
    await rows.updateOne({ _id: 'u' }, { $setOnInsert: { a: 1 }, $set: { list: [] } });
    expect(await rows.findOne({ _id: 'u' })).toMatchObject({ a: { b: 9 }, list: [] });
  });

  test('$inc keeps types and grows to 64 bits', async () => {
    await rows.insertOne({
      _id: 'i',
      int: new Int32(2 ** 31 - 1),
      long: Long.fromNumber(5),
      double: new Double(1.5),
    });
    await rows.updateOne({ _id: 'i' }, { $inc: { int: 1, long: 1, double: 1, fresh: 3 } });
    expect(await exact('i')).toEqual({
      _id: 'i',
      int: Long.fromNumber(2 ** 31),
      long: Long.fromNumber(6),
      double: new Double(2.5),
      fresh: new Int32(3),
    });
    expect(await failureOf(rows.updateOne({ _id: 'i' }, { $inc: { int: 'x' as never } }))).toMatchObject({
      code: 14,
    });
  });

  test('$currentDate sets the server’s time', async () => {
    await rows.insertOne({ _id: 'm' });
    const before = Date.now();
    await rows.updateOne({ _id: 'm' }, { $currentDate: { at: true } } as never);
    const { at } = (await rows.findOne({ _id: 'm' })) as unknown as { at: Date };
    expect(at.getTime()).toBeGreaterThanOrEqual(before - 1_000);
    expect(at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  test('$addToSet adds missing values, across types of numbers', async () => {
    await rows.insertOne({ _id: 'p', set: [1, { k: 1 }] });
    for (const value of [new Double(1), { k: 1 }, 'a', 'a', [1]]) {
      await rows.updateOne({ _id: 'p' }, { $addToSet: { set: value, fresh: 'one' } } as never);
    }
    expect(await rows.findOne({ _id: 'p' })).toEqual({
      _id: 'p',
      set: [1, { k: 1 }, 'a', [1]],
      fresh: ['one'],
    });
  });

  test('a change that changes nothing counts as matched, not modified', async () => {
    await rows.insertOne({ _id: 'n', a: 1 });
    expect(await rows.updateOne({ _id: 'n' }, { $set: { a: 1 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
  });

  test('an _id cannot be changed', async () => {
    await rows.insertOne({ _id: 'r', a: 1 });
    expect(await failureOf(rows.updateOne({ _id: 'r' }, { $set: { _id: 'other' } }))).toMatchObject({
      code: 66,
    });
  });

  test.each([
    ['conflicting paths', { $set: { a: 1, 'a.b': 2 } }, 40],
    ['the same path twice', { $set: { a: 1 }, $inc: { a: 2 } }, 40],
    ['an unknown operator', { $multiply: { a: 1 } }, 9],
    ['a field below a scalar', { $set: { 'scalar.x': 1 } }, 28],
    ['an empty field name', { $set: { 'a..b': 1 } }, 56],
    ['$addToSet to a scalar', { $addToSet: { scalar: 1 } }, 2],
    ['a field in an array', { $set: { 'list.x': 1 } }, 28],
  ])('refuses %s', async (_, update, code) => {
    await rows.insertOne({ _id: 'c', scalar: 1, list: [1] });
    expect(await failureOf(rows.updateOne({ _id: 'c' }, update as never))).toMatchObject({ code });
    expect(await rows.findOne({ _id: 'c' })).toEqual({ _id: 'c', scalar: 1, list: [1] });
  });
});

describe('upserts', () => {
  test('take the filter’s equalities and the update', async () => {
    const result = await rows.updateOne(
      { _id: 'up', kind: 'x', 'deep.er': 1, n: { $gt: 5 } },
      { $set: { a: 1 }, $setOnInsert: { made: true } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 'up' });
    expect(await rows.findOne({ _id: 'up' })).toEqual({
      _id: 'up',
      kind: 'x',
      deep: { er: 1 },
      a: 1,
      made: true,
    });
  });

  test('in parallel on a unique key create one document and lose no increment', async () => {
    await rows.createIndex({ key: 1 }, { unique: true });
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, () =>
          rows.updateOne(
            { key: `k${round}` },
            { $inc: { n: 1 }, $setOnInsert: { _id: new ObjectId().toHexString() } },
            { upsert: true },
          ),
        ),
      );
      const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
      // A real server may return 11000 to a loser; each acknowledged upsert counts once.
      const found = await rows.find({ key: `k${round}` }).toArray();
      expect(found).toHaveLength(1);
      expect(found[0]!['n']).toBe(done);
    }
  });

  test('concurrent findOneAndUpdate calls have one winner per compare-and-set', async () => {
    await rows.insertOne({ _id: 'cas', version: 0 });
    const winners = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        rows.findOneAndUpdate(
          { _id: 'cas', version: 0 },
          { $set: { version: 1, by: n } },
          { returnDocument: 'after' },
        ),
      ),
    );
    expect(winners.filter((winner) => winner !== null)).toHaveLength(1);
  });
});

describe('findAndModify', () => {
  test('returns the document before or after the update', async () => {
    await rows.insertOne({ _id: 'f1', n: 1 });
    expect(await rows.findOneAndUpdate({ _id: 'f1' }, { $inc: { n: 10 } })).toEqual({ _id: 'f1', n: 1 });
    expect(
      await rows.findOneAndUpdate({ _id: 'f1' }, { $inc: { n: 10 } }, { returnDocument: 'after' }),
    ).toEqual({ _id: 'f1', n: 21 });
    expect(await rows.findOneAndUpdate({ _id: 'none' }, { $set: { n: 1 } })).toBeNull();
    const made = await rows.findOneAndUpdate(
      { _id: 'new' },
      { $set: { n: 1 } },
      { upsert: true, includeResultMetadata: true },
    );
    expect(made).toMatchObject({
      value: null,
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 'new' },
    });
  });
});

describe('deletes and bulk writes', () => {
  test('deleteOne removes one, deleteMany all', async () => {
    await rows.createIndex({ group: 1 });
    await rows.insertMany([1, 2, 3, 4].map((n) => ({ _id: `d${n}`, group: n % 2 })));
    expect((await rows.deleteOne({ group: 1 })).deletedCount).toBe(1);
    expect((await rows.deleteMany({ group: { $in: [0, 1] } })).deletedCount).toBe(3);
    expect(await rows.countDocuments({ group: { $in: [0, 1] } })).toBe(0);
  });

  test('a mixed bulk write reports the index of a failed operation', async () => {
    await rows.createIndex({ key: 1 }, { unique: true, sparse: true });
    const failure = await failureOf(
      rows.bulkWrite(
        [
          { insertOne: { document: { _id: '1', key: 'a' } } },
          { updateOne: { filter: { _id: '2' }, update: { $set: { key: 'b' } }, upsert: true } },
          { updateOne: { filter: { _id: '2' }, update: { $set: { key: 'a' } } } },
          { insertOne: { document: { _id: '3' } } },
          { deleteOne: { filter: { _id: '1' } } },
        ],
        { ordered: false },
      ),
    );
    expect(failure).toMatchObject({ code: 11000, insertedCount: 2, upsertedCount: 1, deletedCount: 1 });
    expect(failure['writeErrors']).toMatchObject([{ index: 2, code: 11000 }]);
    expect(await rows.find({}).sort({ _id: 1 }).toArray()).toEqual([{ _id: '2', key: 'b' }, { _id: '3' }]);
  });

  test('unacknowledged writes are executed', async () => {
    await rows.insertOne({ _id: 'w0' }, { writeConcern: { w: 0 } });
    await rows.insertOne({ _id: 'w1' });
    expect(await rows.countDocuments({ _id: { $in: ['w0', 'w1'] } })).toBe(2);
  });
});
