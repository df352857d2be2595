import { connect } from 'node:net';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { type Collection, Decimal128, type Document, MaxKey, Timestamp } from 'mongodb';
import { failureOf, type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

/** MongoDB features that this server lacks are refused with MongoDB's own codes; nothing is silently ignored. */
const onlyEmbedded = process.env['MONGODB_URL'] ? describe.skip : describe;

let store: StoreUnderTest;
let rows: Collection<Document & { _id: number }>;

beforeAll(async () => {
  store = await startStoreUnderTest();
  rows = store.db.collection('rows');
  await rows.insertMany(Array.from({ length: 1_100 }, (_, n) => ({ _id: n, n, m: n % 7 })));
});
afterAll(() => store?.stop());

describe('as on MongoDB', () => {
  test.each<[string, Document, number, string]>([
    ['an unknown command', { makeCoffee: 1 }, 59, 'CommandNotFound'],
    ['an unknown field', { find: 'rows', flter: {} }, 40415, 'Location40415'],
    ['an unknown operator', { find: 'rows', filter: { n: { $foo: 1 } } }, 2, 'BadValue'],
    ['an unknown top-level operator', { find: 'rows', filter: { $foo: 1 } }, 2, 'BadValue'],
    ['$in without an array', { find: 'rows', filter: { n: { $in: 1 } } }, 2, 'BadValue'],
    ['a sort direction', { find: 'rows', sort: { n: 2 } }, 2, 'BadValue'],
    ['a negative limit', { find: 'rows', limit: -1 }, 2, 'BadValue'],
    ['a filter that is no document', { find: 'rows', filter: 5 }, 14, 'TypeMismatch'],
    [
      'an unknown stage',
      { aggregate: 'rows', pipeline: [{ $brew: {} }], cursor: {} },
      40324,
      'Location40324',
    ],
    [
      'an unknown accumulator',
      { aggregate: 'rows', pipeline: [{ $group: { _id: null, x: { $brew: 1 } } }], cursor: {} },
      15952,
      'Location15952',
    ],
    [
      'an unknown expression',
      { aggregate: 'rows', pipeline: [{ $group: { _id: { $brew: 1 } } }], cursor: {} },
      168,
      'InvalidPipelineOperator',
    ],
    ['a query without filter', { delete: 'rows', deletes: [{ limit: 0 }] }, 40414, 'Location40414'],
    ['a delete without limit', { delete: 'rows', deletes: [{ q: {} }] }, 40414, 'Location40414'],
    [
      'an update without filter',
      { update: 'rows', updates: [{ u: { $set: { a: 1 } } }] },
      40414,
      'Location40414',
    ],
    ['a filter that is null', { find: 'rows', filter: null }, 14, 'TypeMismatch'],
    ['a limit of 2', { delete: 'rows', deletes: [{ q: {}, limit: 2 }] }, 9, 'FailedToParse'],
    [
      'an unknown modifier',
      { update: 'rows', updates: [{ q: { _id: 1 }, u: { $brew: { n: 1 } } }] },
      9,
      'FailedToParse',
    ],
    [
      'many documents replaced by one',
      { update: 'rows', updates: [{ q: { _id: 1 }, u: { n: 1 }, multi: true }] },
      9,
      'FailedToParse',
    ],
    [
      'a transaction',
      { find: 'rows', txnNumber: 1, startTransaction: true, autocommit: false },
      20,
      'IllegalOperation',
    ],
    ['an invalid namespace', { find: '' }, 73, 'InvalidNamespace'],
    ['a missing collection', { listIndexes: 'none-such' }, 26, 'NamespaceNotFound'],
  ])('%s', async (_, command, code, codeName) => {
    const reply = await store.db.command(command).catch((error: unknown) => error as Document);
    const failure = (reply['writeErrors'] as Document[] | undefined)?.[0] ?? reply;
    expect(failure['code']).toBe(code);
    if (failure === reply) expect(failure['codeName']).toBe(codeName);
  });
});

onlyEmbedded('on this server only', () => {
  test.each([
    ...['serverStatus', 'collStats', 'mapReduce', 'buildInfo', 'count', 'distinct', 'create'],
    ...['dropIndexes', 'listDatabases', 'explain', 'isMaster'],
  ])('the command %s', async (name) => {
    expect(await failureOf(store.db.command({ [name]: 'rows' }))).toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
    });
  });

  test.each([...['$or', '$and', '$nor', '$text', '$where', '$expr', '$comment', '$jsonSchema']])(
    'the filter %s',
    async (name) => {
      expect(await failureOf(rows.find({ [name]: [{ n: 1 }] }).toArray())).toMatchObject({ code: 2 });
    },
  );

  test.each([
    ...['$eq', '$not', '$type', '$size', '$all', '$elemMatch', '$regex', '$mod', '$bitsAllSet', '$near'],
  ])('the filter operator %s', async (name) => {
    expect(await failureOf(rows.find({ n: { [name]: 1 } }).toArray())).toMatchObject({ code: 2 });
  });

  test.each([...['$push', '$pull', '$pullAll', '$pop', '$min', '$max', '$mul', '$rename', '$bit']])(
    'the update operator %s',
    async (name) => {
      expect(await failureOf(rows.updateOne({ _id: 1 }, { [name]: { n: 1 } }))).toMatchObject({ code: 9 });
      expect(await rows.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1, m: 1 });
    },
  );

  test.each([
    ...['$addFields', '$set', '$project', '$unwind', '$sort', '$skip', '$count', '$lookup', '$merge', '$out'],
  ])('the stage %s', async (name) => {
    expect(await failureOf(rows.aggregate([{ [name]: 1 }]).toArray())).toMatchObject({ code: 40324 });
  });

  test.each([...['$avg', '$min', '$max', '$first', '$last', '$push', '$addToSet', '$count']])(
    'the accumulator %s',
    async (name) => {
      const pipeline = [{ $group: { _id: null, x: { [name]: '$n' } } }];
      expect(await failureOf(rows.aggregate(pipeline).toArray())).toMatchObject({ code: 15952 });
    },
  );

  const group = (id: unknown, operand: unknown): Document => ({
    aggregate: 'rows',
    pipeline: [{ $group: { _id: id, n: { $sum: operand } } }],
    cursor: {},
  });

  test.each<[string, Document, number]>([
    ['a regular expression', { find: 'rows', filter: { n: /x/ } }, 2],
    ['a regular expression in $in', { find: 'rows', filter: { n: { $in: [/x/] } } }, 2],
    ['Decimal128', { find: 'rows', filter: { n: Decimal128.fromString('1') } }, 2],
    ['MaxKey', { find: 'rows', filter: { n: { $lt: new MaxKey() } } }, 2],
    ['timestamps', { find: 'rows', filter: { n: { $gt: new Timestamp({ t: 1, i: 1 }) } } }, 2],
    ['positions in a filter', { find: 'rows', filter: { 'a.0': 1 } }, 2],
    ['positions in a sort', { find: 'rows', sort: { 'a.0': 1 } }, 2],
    ['positions in a projection', { find: 'rows', projection: { '0': 1 } }, 2],
    ['nested projections', { find: 'rows', projection: { 'a.b': 1 } }, 2],
    ['$slice in a projection', { find: 'rows', projection: { n: { $slice: 1 } } }, 2],
    ['skip', { find: 'rows', skip: 1 }, 40415],
    ['collation', { find: 'rows', collation: { locale: 'en' } }, 40415],
    ['hint', { find: 'rows', hint: '_id_' }, 40415],
    ['tailable cursors', { find: 'rows', tailable: true }, 40415],
    ['a sorted findAndModify', { findAndModify: 'rows', sort: { n: 1 }, update: { $set: { n: 1 } } }, 40415],
    [
      'a projected findAndModify',
      { findAndModify: 'rows', fields: { n: 1 }, update: { $set: { n: 1 } } },
      40415,
    ],
    ['a removing findAndModify', { findAndModify: 'rows', remove: true }, 115],
    ['database aggregation', { aggregate: 1, pipeline: [], cursor: {} }, 14],
    ['two $match', { aggregate: 'rows', pipeline: [{ $match: {} }, { $match: {} }], cursor: {} }, 40324],
    ['$group by an expression', group({ $year: '$at' }, 1), 168],
    ['$group by a document', group({ shop: '$shop' }, 1), 168],
    ['$group by a variable', group('$$ROOT', 1), 168],
    ['$sum of an expression', group(null, { $add: ['$n', 1] }), 168],
    ['readConcern snapshot', { find: 'rows', readConcern: { level: 'snapshot' } }, 72],
    ['w: 2', { insert: 'rows', documents: [{ _id: 9_999 }], writeConcern: { w: 2 } }, 2],
    ['text indexes', { createIndexes: 'rows', indexes: [{ key: { n: 'text' }, name: 't' }] }, 67],
    ['indexed array positions', { createIndexes: 'rows', indexes: [{ key: { 'a.0': 1 }, name: 't' }] }, 67],
    [
      'TTL indexes',
      { createIndexes: 'rows', indexes: [{ key: { n: 1 }, name: 't', expireAfterSeconds: 1 }] },
      197,
    ],
    [
      'partial indexes',
      { createIndexes: 'rows', indexes: [{ key: { n: 1 }, name: 't', partialFilterExpression: { n: 1 } }] },
      197,
    ],
  ])('%s', async (_, command, code) => {
    expect(await failureOf(store.db.command(command))).toMatchObject({ code });
  });

  test.each<[string, Document]>([
    ['array filters', { q: { _id: 1 }, u: { $set: { 'a.$[x]': 1 } }, arrayFilters: [{ x: 1 }] }],
    ['collation', { q: { _id: 1 }, u: { $set: { n: 1 } }, collation: { locale: 'en' } }],
  ])('updates with %s', async (_, entry) => {
    const failure = await failureOf(store.db.command({ update: 'rows', updates: [entry] }));
    expect(failure).toMatchObject({ code: 40415 });
  });

  test.each<[string, unknown, number]>([
    ['a pipeline', [{ $set: { n: 2 } }], 9],
    ['a replacement', { n: 2 }, 9],
    ['nothing', {}, 9],
    ['positional paths', { $set: { 'a.$': 1 } }, 2],
    ['positions', { $set: { 'a.0': 1 } }, 2],
    ['$addToSet of several', { $addToSet: { l: { $each: [1] } } }, 2],
    ['$currentDate of a timestamp', { $currentDate: { l: { $type: 'timestamp' } } }, 2],
    ['a name like a number', { $set: { l: { '7': 1 } } }, 2],
  ])('updates by %s', async (_, u, code) => {
    const reply = await store.db.command({ update: 'rows', updates: [{ q: { _id: 1 }, u }] });
    expect(reply).toMatchObject({ n: 0, nModified: 0, writeErrors: [{ index: 0, code }] });
    expect(await rows.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1, m: 1 });
  });

  test('a scan past 1,000 documents, naming collection and filter', async () => {
    const failure = await failureOf(rows.find({ m: 99 }).toArray());
    expect(failure).toMatchObject({ code: 291, codeName: 'NoQueryExecutionPlans' });
    expect(failure.message).toContain(`${store.db.databaseName}.rows`);
    expect(failure.message).toContain('m {"op":"eq","value":99}');
    for (const write of [
      () => rows.updateMany({ m: 99 }, { $set: { x: 1 } }),
      () => rows.deleteMany({ m: { $exists: true } }),
      () => rows.countDocuments({ m: 3 }),
    ]) {
      expect(await failureOf(write() as Promise<unknown>)).toMatchObject({ code: 291 });
    }
    expect(await rows.countDocuments({})).toBe(1_100);
  });

  test('a sort that no index serves, past 1,000 documents', async () => {
    expect(
      await failureOf(
        rows
          .find({ _id: { $gte: 0 } })
          .sort({ m: 1 })
          .limit(5)
          .toArray(),
      ),
    ).toMatchObject({ code: 292, codeName: 'QueryExceededMemoryLimitNoDiskUseAllowed' });
    const bounded = await rows
      .find({ _id: { $lt: 900 } })
      .sort({ m: -1, _id: 1 })
      .limit(2)
      .toArray();
    expect(bounded.map(({ _id }) => _id)).toEqual([6, 13]);
  });

  test('a sparse index does not provide a full order', async () => {
    await rows.createIndex({ gone: 1 }, { sparse: true });
    expect(await failureOf(rows.find({}).sort({ gone: 1 }).toArray())).toMatchObject({ code: 291 });
  });

  test('an index key beyond lmdb’s limit', async () => {
    await rows.createIndex({ text: 1 });
    const failure = await failureOf(rows.insertOne({ _id: 5_000, text: 'x'.repeat(2_000) } as never));
    expect(failure).toMatchObject({ code: 17280 });
    expect(await rows.findOne({ _id: 5_000 })).toBeNull();
  });

  test('broken frames close their connection and nothing else', async () => {
    const port = Number(store.client.options.hosts[0]!.port);
    const frames = [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.alloc(64),
      Buffer.from([21, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xdd, 7, 0, 0, 1, 0, 0, 0, 0]),
      Buffer.from([26, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xdd, 7, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0, 0]),
    ];
    for (const frame of frames) {
      let closed = false;
      let failure: NodeJS.ErrnoException | undefined;
      const socket = connect(port, '127.0.0.1', () => socket.write(frame));
      onTestEnd(() => socket.destroy());
      socket.on('close', () => (closed = true));
      socket.on('error', (error) => (failure = error));
      await until(() => closed, { what: `the end of the connection that sent ${frame.toString('hex')}` });
      if (failure && failure.code !== 'ECONNRESET') throw failure;
    }
    expect(await store.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
});
