import { Schema } from 'mongoose';
import { collection } from '../../src/mongo/collection.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { SCHEMA_OPTIONS } from '../../src/mongo/schema-options.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { type MongodbProxy, startMongodbProxy } from '../../testing/mongodb-proxy.js';

interface Part {
  _id: string;
  size: number;
  bytes?: Buffer;
}

class Parts extends collection<Part>({
  name: 'parts',
  schema: new Schema<Part>({ _id: String, size: Number, bytes: Buffer }, SCHEMA_OPTIONS),
}) {}

const MEGABYTE = 2 ** 20;
const failure = (code: number, codeName: string) => ({ ok: 0, code, codeName, errmsg: codeName });

describe('reads of a collection', () => {
  const { url, drop } = aMongoDatabase('reads');
  let proxy: MongodbProxy;
  let database: MongoDatabase;
  let parts: Parts;

  beforeAll(async () => {
    proxy = await startMongodbProxy(url);
    database = await MongoDatabase.open({ url: proxy.url, pool: 2 }, [Parts.declaration]);
    parts = new Parts(database);
    await parts.insertNew(
      Array.from({ length: 18 }, (_, at) => ({
        _id: `part-${10 + at}`,
        size: at,
        bytes: Buffer.alloc(MEGABYTE, at),
      })),
    );
  });
  afterAll(async () => {
    await database?.close();
    await proxy?.stop();
    await drop();
  });

  const sizes = { projection: { size: 1, _id: 0 }, sort: { _id: -1 } } as const;

  it.each([
    ['fewer than there are', 2, [17, 16]],
    ['more than there are', 20, Array.from({ length: 18 }, (_, at) => 17 - at)],
  ])('give %s', async (_name, limit, found) => {
    expect(await parts.find({}, { ...sizes, limit })).toEqual(found.map((size) => ({ size })));
  });

  it('give one, with its bytes, or none', async () => {
    const { bytes, ...fields } = (await parts.findOne({ _id: 'part-11' }))!;
    expect(fields).toEqual({ _id: 'part-11', size: 1 });
    expect(bytes!.equals(Buffer.alloc(MEGABYTE, 1))).toBe(true);
    expect(await parts.findOne({ _id: 'other' })).toBeNull();
  });

  it('give more than fits into one answer', async () => {
    const found = await parts.find({}, { sort: { _id: 1 }, limit: 18 });
    expect(found.map(({ bytes }) => bytes![0])).toEqual(Array.from({ length: 18 }, (_, at) => at));
  });

  /** The store refuses the next command only. */
  const refuseOnce = (answer: ReturnType<typeof failure>) => {
    const before = proxy.refused.length;
    const fault = { collections: ['parts'], answer };
    Object.defineProperty(proxy, 'fault', {
      get: () => (proxy.refused.length === before ? fault : undefined),
      configurable: true,
    });
    return () => proxy.refused.length - before;
  };

  it('are repeated where the primary has changed', async () => {
    const refusals = refuseOnce(failure(10107, 'NotWritablePrimary'));
    expect(await parts.find({}, { ...sizes, limit: 1 })).toEqual([{ size: 17 }]);
    expect(refusals()).toBe(1);
  });

  it('are not repeated where they take too long', async () => {
    const refusals = refuseOnce(failure(50, 'MaxTimeMSExpired'));
    await expect(parts.findOne({ _id: 'part-11' })).rejects.toMatchObject({ code: 50 });
    expect(refusals()).toBe(1);
  });
});
