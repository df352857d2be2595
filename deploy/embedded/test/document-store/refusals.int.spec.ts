import { connect } from 'node:net';
import type { Collection, Document } from 'mongodb';
import { failureOf, type StoreUnderTest, startStoreUnderTest } from './store-under-test.js';

/** What MongoDB would do but this server does not is refused with MongoDB's own codes: nothing is silently ignored. */
const onlyEmbedded = process.env['MONGODB_URL'] ? describe.skip : describe;

let store: StoreUnderTest;
let rows: Collection<Document & { _id: number }>;

beforeAll(async () => {
  store = await startStoreUnderTest();
  rows = store.db.collection('rows');
  await rows.insertMany(Array.from({ length: 1_100 }, (_, n) => ({ _id: n, n, m: n % 7 })));
});
afterAll(() => store.stop());

describe('as on MongoDB', () => {
  test.each<[string, Document, number, string]>([
    ['an unknown command', { makeCoffee: 1 }, 59, 'CommandNotFound'],
    ['an unknown field', { find: 'rows', flter: {} }, 40415, 'Location40415'],
    ['an unknown operator', { find: 'rows', filter: { n: { $foo: 1 } } }, 2, 'BadValue'],
    ['an unknown top-level operator', { find: 'rows', filter: { $foo: 1 } }, 2, 'BadValue'],
    ['$in without an array', { find: 'rows', filter: { n: { $in: 1 } } }, 2, 'BadValue'],
    ['an empty $or', { find: 'rows', filter: { $or: [] } }, 2, 'BadValue'],
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
      { aggregate: 'rows', pipeline: [{ $addFields: { x: { $brew: 1 } } }], cursor: {} },
      168,
      'InvalidPipelineOperator',
    ],
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
    ['a missing collection', { drop: 'none-such', comment: 1 }, 26, 'NamespaceNotFound'],
  ])('%s', async (_, command, code, codeName) => {
    if (!store.embedded && code === 26) return;
    const session = command['txnNumber'] ? store.client.startSession() : undefined;
    const reply = await store.db
      .command(command, session ? { session } : {})
      .catch((error: unknown) => error as Document);
    await session?.endSession();
    const failure = (reply['writeErrors'] as Document[] | undefined)?.[0] ?? reply;
    expect(failure['code']).toBe(code);
    if (failure === reply) expect(failure['codeName']).toBe(codeName);
  });
});

onlyEmbedded('on this server only', () => {
  test.each<[string, Document, number]>([
    ['serverStatus', { serverStatus: 1 }, 59],
    ['collStats', { collStats: 'rows' }, 59],
    ['mapReduce', { mapReduce: 'rows' }, 59],
    ['$text', { find: 'rows', filter: { $text: { $search: 'x' } } }, 2],
    ['$where', { find: 'rows', filter: { $where: 'true' } }, 2],
    ['$expr', { find: 'rows', filter: { $expr: { $eq: ['$n', 1] } } }, 2],
    ['$regex', { find: 'rows', filter: { n: { $regex: 'x' } } }, 2],
    ['a regular expression', { find: 'rows', filter: { n: /x/ } }, 2],
    ['collation', { find: 'rows', collation: { locale: 'en' } }, 40415],
    ['hint', { find: 'rows', hint: '_id_' }, 40415],
    ['tailable cursors', { find: 'rows', tailable: true }, 115],
    ['$slice in a projection', { find: 'rows', projection: { n: { $slice: 1 } } }, 2],
    ['$lookup', { aggregate: 'rows', pipeline: [{ $lookup: {} }], cursor: {} }, 40324],
    ['$changeStream', { aggregate: 'rows', pipeline: [{ $changeStream: {} }], cursor: {} }, 40324],
    ['database aggregation', { aggregate: 1, pipeline: [], cursor: {} }, 115],
    ['readConcern snapshot', { find: 'rows', readConcern: { level: 'snapshot' } }, 72],
    ['w: 2', { insert: 'rows', documents: [{ _id: 9_999 }], writeConcern: { w: 2 } }, 2],
    ['capped collections', { create: 'capped', capped: true, size: 1 }, 40415],
    ['text indexes', { createIndexes: 'rows', indexes: [{ key: { n: 'text' }, name: 't' }] }, 67],
    [
      'TTL indexes',
      { createIndexes: 'rows', indexes: [{ key: { n: 1 }, name: 't', expireAfterSeconds: 1 }] },
      72,
    ],
    ['indexed array positions', { createIndexes: 'rows', indexes: [{ key: { 'a.0': 1 }, name: 't' }] }, 67],
  ])('%s', async (_, command, code) => {
    expect(await failureOf(store.db.command(command))).toMatchObject({ code });
  });

  test.each<[string, Document]>([
    ['array filters', { q: { _id: 1 }, u: { $set: { 'a.$[x]': 1 } }, arrayFilters: [{ x: 1 }] }],
    ['positional paths', { q: { _id: 1 }, u: { $set: { 'a.$': 1 } } }],
    ['$rename', { q: { _id: 1 }, u: { $rename: { n: 'k' } } }],
    ['$bit', { q: { _id: 1 }, u: { $bit: { n: { and: 1 } } } }],
    ['$pullAll', { q: { _id: 1 }, u: { $pullAll: { n: [1] } } }],
    ['$push with $sort', { q: { _id: 1 }, u: { $push: { l: { $each: [1], $sort: 1 } } } }],
    ['collation', { q: { _id: 1 }, u: { $set: { n: 1 } }, collation: { locale: 'en' } }],
  ])('updates with %s', async (_, entry) => {
    const reply = await store.db.command({ update: 'rows', updates: [entry] });
    expect(reply).toMatchObject({
      n: 0,
      nModified: 0,
      writeErrors: [{ index: 0, code: expect.any(Number) as number }],
    });
    expect(await rows.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1, m: 1 });
  });

  test('a scan past 1,000 documents, naming collection and filter', async () => {
    const failure = await failureOf(rows.find({ m: 99 }).toArray());
    expect(failure).toMatchObject({ code: 291, codeName: 'NoQueryExecutionPlans' });
    expect(failure.message).toContain(`${store.db.databaseName}.rows`);
    expect(failure.message).toContain('"m":99');
    for (const write of [
      () => rows.updateMany({ m: 99 }, { $set: { x: 1 } }),
      () => rows.deleteMany({ m: { $exists: true } }),
      () => rows.countDocuments({ m: 3 }),
      () => rows.distinct('m'),
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
    ).toMatchObject({
      code: 292,
      codeName: 'QueryExceededMemoryLimitNoDiskUseAllowed',
    });
    const bounded = await rows
      .find({ _id: { $lt: 900 } })
      .sort({ m: -1, _id: 1 })
      .limit(2)
      .toArray();
    expect(bounded.map(({ _id }) => _id)).toEqual([6, 13]);
  });

  test('a sparse index does not stand in for a full order', async () => {
    await rows.createIndex({ m: 1 }, { sparse: true });
    expect(await failureOf(rows.find({}).sort({ m: 1 }).toArray())).toMatchObject({
      code: expect.any(Number),
    });
    await rows.dropIndex('m_1');
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
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(frame));
        socket.on('close', () => resolve());
        socket.on('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ECONNRESET' ? undefined : reject(error),
        );
      });
    }
    expect(await store.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
});
