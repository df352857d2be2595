import {
  type Collection,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

/**
 * The silent errors that a review of the store found, by their numbers: each case now gives the right result or an
 * error. On a real MongoDB, which supports all of them, only the right results are compared.
 */
let store: StoreUnderTest;
let rows: Collection<Document & { _id: string | number | ObjectId }>;

beforeAll(async () => {
  store = await startStoreUnderTest();
});
afterAll(() => store?.stop());

beforeEach(async () => {
  await store.db.dropDatabase();
  rows = store.db.collection('rows');
});

/** The code of the error, of a command or of the first of its writes. */
async function codeOf(action: Promise<unknown>): Promise<number | undefined> {
  const outcome = (await action.catch((error: unknown) => error)) as Document;
  const errors = outcome['writeErrors'] as Document[] | undefined;
  return (errors?.[0]?.['code'] ?? outcome['code']) as number | undefined;
}

const run = (command: Document): Promise<Document> => store.db.command(command);
const find = (filter: Document, options: Document = {}): Promise<Document> =>
  run({ find: 'rows', filter, ...options });
const update = (u: unknown, q: Document = {}): Promise<Document> =>
  run({ update: 'rows', updates: [{ q, u, upsert: true }] });
const aggregate = (...pipeline: Document[]): Promise<Document> =>
  run({ aggregate: 'rows', pipeline, cursor: {} });
const idsOf = async (filter: Document, sort: Document): Promise<unknown[]> =>
  (
    await rows
      .find(filter)
      .sort(sort as never)
      .toArray()
  ).map(({ _id }) => _id);
/** The stored fields in their order, with their exact types. */
const stored = async (id: number): Promise<[string, unknown][]> =>
  Object.entries((await rows.findOne({ _id: id }, { promoteValues: false }))!);
const sumOf = async (...values: unknown[]): Promise<unknown> => {
  await rows.insertMany(values.map((v, _id) => ({ _id, v })));
  const [group] = await rows
    .aggregate([{ $group: { _id: null, sum: { $sum: '$v' } } }], { promoteValues: false })
    .toArray();
  return group!['sum'];
};

describe('right results', () => {
  test('W1: a sort over arrays of which one value is known, also for the first document', async () => {
    await rows.insertMany([
      { _id: 1, t: [5, 3] },
      { _id: 2, t: [5, 1] },
    ]);
    expect(await idsOf({ t: 5 }, { t: 1 })).toEqual([2, 1]);
    expect(await rows.findOne({ t: 5 }, { sort: { t: 1 } })).toMatchObject({ _id: 2 });
    await rows.createIndex({ other: 1 });
    await rows.createIndex({ t: 1 });
    expect(await idsOf({ t: 5 }, { t: 1 })).toEqual([2, 1]);
    expect(await idsOf({ t: 5 }, { t: -1, _id: -1 })).toEqual([2, 1]);
  });

  test('W6: a cursor whose collection was dropped ends in an error', async () => {
    await rows.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id })));
    const opened = await find({}, { batchSize: 2 });
    await store.db.dropDatabase();
    // The driver reads a small id as a number, which it would send as a double.
    const getMore = Long.fromValue((opened['cursor'] as { id: Long | number }).id);
    expect(await codeOf(run({ getMore, collection: 'rows' }))).toBe(175);
    await rows.insertOne({ _id: 1 });
    expect(await codeOf(run({ getMore, collection: 'rows' }))).toBe(43);
  });

  test.each<[string, unknown[], unknown]>([
    ['longs beyond 2^53', [Long.fromBigInt(2n ** 60n), Long.ONE], Long.fromBigInt(2n ** 60n + 1n)],
    ['ints beyond 2^31', [new Int32(2 ** 31 - 1), new Int32(1)], Long.fromNumber(2 ** 31)],
    ['ints', [new Int32(1), new Int32(2)], new Int32(3)],
    ['a long that is small', [Long.ONE, new Int32(2)], Long.fromNumber(3)],
    ['doubles that cancel each other', [1e16, 1, -1e16].map((v) => new Double(v)), new Double(1)],
    ['tenths', Array.from({ length: 10 }, () => new Double(0.1)), new Double(1)],
    ['ints and doubles', [new Int32(1), new Double(2)], new Double(3)],
    ['more than 64 bits', [Long.MAX_VALUE, Long.MAX_VALUE], new Double(2 ** 64)],
    [
      'a long beyond 2^53 and a double',
      [Long.fromBigInt(2n ** 53n + 1n), new Double(1)],
      new Double(2 ** 53 + 2),
    ],
    ['infinities', [new Double(Infinity), new Double(1)], new Double(Infinity)],
    ['what are no numbers', ['1', null, [1], true], new Int32(0)],
  ])('W9, W11: $sum of %s', async (_, values, sum) => {
    expect(await sumOf(...values)).toEqual(sum);
  });

  test('W13: an update that fails is not counted, whatever it changed before', async () => {
    await rows.createIndex({ key: 1 }, { unique: true });
    await rows.insertMany([
      { _id: 1, key: 1 },
      { _id: 2, key: 2 },
    ]);
    const reply = await run({
      update: 'rows',
      ordered: false,
      updates: [
        { q: { _id: 1 }, u: { $set: { a: 1 } } },
        { q: { _id: 2 }, u: { $set: { key: 1 } } },
        { q: { _id: 2 }, u: { $set: { a: 1 } } },
      ],
    });
    expect(reply).toMatchObject({ n: 2, nModified: 2, writeErrors: [{ index: 1, code: 11000 }] });
  });

  test('W14: of several indexes all are made, or none, nor their collection', async () => {
    const both = [
      { key: { a: 1 }, name: 'a' },
      { key: { b: 1 }, name: 'b', unique: true },
    ];
    await rows.insertMany([
      { _id: 1, b: 1 },
      { _id: 2, b: 1 },
    ]);
    expect(await codeOf(run({ createIndexes: 'rows', indexes: both }))).toBe(11000);
    expect((await rows.listIndexes().toArray()).map(({ name }) => name as string)).toEqual(['_id_']);
    const clashing = [both[0], { key: { c: 1 }, name: 'a' }];
    expect(await codeOf(run({ createIndexes: 'fresh', indexes: clashing }))).toBe(86);
    expect(await codeOf(run({ listIndexes: 'fresh' }))).toBe(26);
    // Undone indexes do not prevent a new one.
    await rows.createIndex({ a: 1 }, { name: 'a' });
    await rows.insertOne({ _id: 3, a: 1 });
    expect(await rows.countDocuments({ a: 1 })).toBe(1);
  });

  test('W16: a duplicate key is reported with its exact value', async () => {
    const id = new ObjectId('0123456789abcdef01234567');
    await rows.createIndex({ tags: 1, at: -1 }, { unique: true });
    await rows.insertOne({ _id: 1, tags: ['x', 'y'], at: id });
    const failure = (await rows
      .insertOne({ _id: 2, tags: ['z', 'y'], at: id })
      .catch((error: unknown) => error)) as Document;
    expect(failure).toMatchObject({
      code: 11000,
      keyPattern: { tags: 1, at: -1 },
      keyValue: { tags: 'y', at: id },
    });
    expect(failure['message']).toContain(`dup key: { tags: "y", at: ObjectId('0123456789abcdef01234567') }`);
  });

  test.each<[string, Document, number]>([
    ['W17: an _id with a dollar', { insert: 'rows', documents: [{ _id: { $a: 1 } }] }, 52],
    [
      'W17: an upsert by a part of the _id',
      { update: 'rows', updates: [{ q: { '_id.x': 5 }, u: { $set: { a: 1 } }, upsert: true }] },
      111,
    ],
  ])('%s is refused, as on MongoDB', async (_, command, code) => {
    expect(await codeOf(run(command))).toBe(code);
    expect(await rows.countDocuments({})).toBe(0);
  });

  test('W19: new fields are in the order of their names, regardless of the operators', async () => {
    await rows.insertOne({ _id: 1, z: 0 });
    await rows.updateOne({ _id: 1 }, { $set: { d: 1, b: 1, 'n.y': 1, 'n.x': 1 }, $inc: { c: 1, a: 1 } });
    expect((await stored(1)).map(([name]) => name)).toEqual(['_id', 'z', 'a', 'b', 'c', 'd', 'n']);
    expect(Object.keys((await rows.findOne({ _id: 1 }))!['n'] as Document)).toEqual(['x', 'y']);
    await rows.updateOne({ _id: 2, q: 1, p: 1 }, { $setOnInsert: { o: 1 } }, { upsert: true });
    expect((await stored(2)).map(([name]) => name)).toEqual(['_id', 'p', 'q', 'o']);
  });

  test('W23: conditions on whole arrays and NaN', async () => {
    await rows.insertMany([
      { _id: 1, a: [[1, 2]] },
      { _id: 2, a: [1, 2] },
      { _id: 3, a: NaN },
      { _id: 4, a: 1 },
    ]);
    for (const withIndex of [false, true]) {
      if (withIndex) await rows.createIndex({ a: 1 });
      expect(await idsOf({ a: [1, 2] }, { _id: 1 })).toEqual([1, 2]);
      expect(await idsOf({ a: { $lte: NaN } }, { _id: 1 })).toEqual([3]);
      expect(await idsOf({ a: { $gte: -Infinity } }, { _id: 1 })).toEqual([2, 4]);
    }
  });

  test('minor: $currentDate of false also sets the time', async () => {
    await update({ $currentDate: { at: false } }, { _id: 1 });
    expect((await rows.findOne({ _id: 1 }))!['at']).toBeInstanceOf(Date);
  });

  test('minor: replies have ok as a double', async () => {
    const exactly = { promoteValues: false };
    for (const command of [{ ping: 1 }, { find: 'rows' }, { listIndexes: 'rows' }]) {
      await rows.insertOne({ _id: new ObjectId() });
      expect((await store.db.command(command, exactly))['ok']).toEqual(new Double(1));
    }
  });
});

(process.env['MONGODB_URL'] ? describe.skip : describe)('refused', () => {
  const regex = /^a/;
  const decimal = Decimal128.fromString('0');

  test.each<[string, () => Promise<unknown>, number]>([
    ['W2: a sort by position', () => find({}, { sort: { 'a.0': 1 } }), 2],
    ['W2: distinct', () => run({ distinct: 'rows', key: 'a.0' }), 59],
    ['W3: $pull', () => update({ $pull: { list: regex } }), 9],
    ['W4: $addToSet of a regex', () => update({ $addToSet: { patterns: /b/ } }, { _id: 'doc' }), 2],
    ['W4: a sort over regexes', () => find({}, { sort: { pattern: 1 } }), 2],
    ['W4: an index on regexes', () => rows.createIndex({ pattern: 1 }), 2],
    ['W5: $sum of Decimal128', () => aggregate({ $group: { _id: null, n: { $sum: '$decimal' } } }), 2],
    ['W5: $avg', () => aggregate({ $group: { _id: null, n: { $avg: '$decimal' } } }), 15952],
    ['W5: $type', () => find({ decimal: { $type: 'number' } }), 2],
    ['W5: $exists of Decimal128', () => find({ decimal: { $exists: decimal } }), 2],
    ['W5: a flag of Decimal128', () => find({}, { projection: { decimal } }), 2],
    ['W5: comparison with Decimal128', () => find({ decimal: { $gte: decimal } }), 2],
    ['W5: comparison of Decimal128', () => find({ decimal: 0 }), 2],
    ['W6: dropIndexes', () => run({ dropIndexes: 'rows', index: '*' }), 59],
    ['W7: a nested $set in a pipeline', () => update([{ $set: { a: { b: 1 } } }]), 9],
    ['W7: $addFields', () => aggregate({ $addFields: { a: { b: 1 } } }), 40324],
    ['W7: $project', () => aggregate({ $project: { a: { b: 1 } } }), 40324],
    ['W8: a position in a pipeline', () => update([{ $set: { 'a.0': 9 } }]), 9],
    ['W8: a position in $set', () => update({ $set: { 'a.0': 9 } }), 2],
    ['W9: computed numbers', () => update([{ $set: { n: { $add: ['$n', 1] } } }]), 9],
    ['W10: expressions', () => find({ $expr: { $eq: ['$a', null] } }), 2],
    ['W10: expressions in $group', () => aggregate({ $group: { _id: { $size: '$a' } } }), 168],
    ['W12: an expression in a bulk update', () => update([{ $set: { a: { $add: ['x', 1] } } }]), 9],
    ['W15: a delete without q', () => run({ delete: 'rows', deletes: [{ limit: 0 }] }), 40414],
    ['W15: a delete without limit', () => run({ delete: 'rows', deletes: [{ q: {} }] }), 40414],
    ['W15: a delete of limit null', () => run({ delete: 'rows', deletes: [{ q: {}, limit: null }] }), 14],
    ['W15: a delete of limit 2', () => run({ delete: 'rows', deletes: [{ q: {}, limit: 2 }] }), 9],
    ['W15: an update without q', () => run({ update: 'rows', updates: [{ u: { $set: { a: 1 } } }] }), 40414],
    ['W15: a find of filter null', () => run({ find: 'rows', filter: null }), 14],
    ['W18: an upsert by $or', () => update({ $set: { b: 1 } }, { $or: [{ a: 1 }] }), 2],
    ['W18: an upsert by $all', () => update({ $set: { b: 1 } }, { a: { $all: [1] } }), 2],
    ['W20: names like numbers', () => run({ insert: 'rows', documents: [{ v: { '2': 1, '1': 1 } }] }), 2],
    ['W20: names like numbers by update', () => update({ $set: { v: [{ '2': 1 }] } }), 2],
    ['W21: $gt MinKey', () => find({ a: { $gt: new MinKey() } }), 2],
    ['W21: $lt MaxKey', () => find({ a: { $lt: new MaxKey() } }), 2],
    ['W22: replacements', () => update({ a: 1 }, { _id: 'doc' }), 9],
    [
      'W23: partial indexes',
      () =>
        run({
          createIndexes: 'rows',
          indexes: [{ key: { a: 1 }, name: 'p', partialFilterExpression: { a: { $gt: 0 } } }],
        }),
      197,
    ],
    [
      'W24: a timestamp to be filled in',
      () => run({ insert: 'rows', documents: [{ t: new Timestamp({ t: 0, i: 0 }) }] }),
      2,
    ],
    [
      'R1: two fields of one array in an index',
      async () => {
        await rows.createIndex({ 'a.x': 1, 'a.y': 1 });
        return rows.insertOne({ _id: 9, a: [{ x: 1, y: 1 }] });
      },
      171,
    ],
    [
      'R2: a long indexed text',
      async () => {
        await rows.createIndex({ text: 1 });
        return rows.find({ text: 'x'.repeat(2_000) }).toArray();
      },
      17280,
    ],
    ['R3: $push', () => update({ $push: { a: 1 } }), 9],
    ['R3: TTL', () => rows.createIndex({ at: 1 }, { expireAfterSeconds: 1 }), 197],
  ])('%s', async (_, action, code) => {
    const documents = [
      { _id: 'doc', patterns: [regex], pattern: /x/, decimal, list: ['ab'] },
      { _id: 'other', pattern: /y/ },
    ];
    await rows.insertMany(documents);
    expect(await codeOf(action())).toBe(code);
    expect(await rows.find({ _id: { $in: ['doc', 'other'] } }).toArray()).toEqual(documents);
    expect(await rows.countDocuments({})).toBe(2);
  });
});

test('types that are not compared are stored unchanged, and survive updates of other fields', async () => {
  const values = {
    pattern: /^a.b/i,
    decimal: Decimal128.fromString('1.50'),
    least: new MinKey(),
    greatest: new MaxKey(),
    stamp: new Timestamp({ t: 5, i: 7 }),
  };
  await rows.insertOne({ _id: 'kept', ...values });
  await rows.updateOne({ _id: 'kept' }, { $set: { touched: true } });
  expect(await rows.findOne({ _id: 'kept' })).toEqual({ _id: 'kept', ...values, touched: true });
  expect(await rows.findOne({ _id: 'kept' }, { projection: { decimal: 1 } })).toEqual({
    _id: 'kept',
    decimal: values.decimal,
  });
});
