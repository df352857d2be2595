import { Schema } from 'mongoose';
import { isStoreTrouble } from '../../src/errors/store-trouble.js';
import { collection } from '../../src/mongo/collection.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { SCHEMA_OPTIONS } from '../../src/mongo/schema-options.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { startSilentProxy } from '../../testing/silent-proxy.js';
import { until } from '../../testing/until.js';

interface Part {
  _id: string;
  size: number;
}

class Parts extends collection<Part>({
  name: 'parts',
  schema: new Schema<Part>({ _id: String, size: Number }, SCHEMA_OPTIONS),
}) {}

describe('a document store that falls silent and closes no connection', () => {
  const { url, drop } = aMongoDatabase('silent');
  afterAll(drop);

  /** A service's two connections, with short limits, over a way that can fall silent. */
  const aSilentWay = async (limits: { waitMs: number; socketMs: number }) => {
    const proxy = await startSilentProxy(url);
    onTestEnd(() => proxy.stop());
    const way = new URL(proxy.url);
    // Otherwise the driver would follow a replica set's own addresses.
    way.searchParams.set('directConnection', 'true');
    const database = await MongoDatabase.open({ url: way.href, pool: 2 }, [Parts.declaration], {
      connectMs: 1_000,
      heartbeatMs: 500,
      ...limits,
    });
    onTestEnd(() => database.close());
    return { proxy, parts: new Parts(database) };
  };

  it.each([
    ['their own limit', { waitMs: 300, socketMs: 600 }],
    // As in a migration.
    ['the heartbeat', { waitMs: 300, socketMs: 0 }],
  ])('costs no connection for ever, by %s', async (_name, limits) => {
    const { proxy, parts } = await aSilentWay(limits);
    await parts.insertIfNew({ _id: 'one', size: 1 });
    await Promise.all([parts.findOne({ _id: 'one' }), parts.findOne({ _id: 'one' })]);
    proxy.fallSilent();
    const asked = Array.from({ length: 4 }, (_, size) => [
      parts.findOne({ _id: 'one' }),
      parts.insertIfNew({ _id: `lost-${size}`, size }),
    ]);
    for (const result of await Promise.allSettled(asked.flat())) {
      const reason: unknown = result.status === 'rejected' && result.reason;
      expect([isStoreTrouble(reason), reason]).toEqual([true, reason]);
    }
    proxy.comeBack();
    const found = () =>
      parts.findOne({ _id: 'one' }).catch((error: unknown) => {
        if (isStoreTrouble(error)) return undefined;
        throw error;
      });
    expect(await until(found, { what: 'an answer of the store that is back' })).toMatchObject({ size: 1 });
    await Promise.all(Array.from({ length: 6 }, () => parts.findOne({ _id: 'one' })));
  });
});
