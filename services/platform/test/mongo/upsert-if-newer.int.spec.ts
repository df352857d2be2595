import fc from 'fast-check';
import { type Connection, createConnection, type mongo } from 'mongoose';
import { upsertIfNewer } from '../../src/mongo/upsert-if-newer.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { PROPERTY_LIMIT, propertyRuns } from '../../testing/property-limit.js';

describe('upsertIfNewer', () => {
  const database = aMongoDatabase('platform');
  let connection: Connection;
  let users: mongo.Collection<{ _id: string; version: number; name: string }>;

  beforeAll(async () => {
    connection = await createConnection(database.url).asPromise();
    users = connection.db!.collection('users');
  });

  afterAll(async () => {
    await connection?.close();
    await database?.drop();
  });

  const upsert = (id: string, version: number) =>
    upsertIfNewer(users, id, version, { name: `name-${version}` });

  it('creates, replaces with newer versions and returns whether it changed the document', async () => {
    expect(await upsert('ada', 5)).toBe(true);
    expect(await upsert('ada', 5)).toBe(false);
    expect(await upsert('ada', 4)).toBe(false);
    expect(await upsert('ada', 1_790_000_000_000_123)).toBe(true);
    expect(await users.findOne({ _id: 'ada' })).toEqual({
      _id: 'ada',
      version: 1_790_000_000_000_123,
      name: 'name-1790000000000123',
    });
  });

  it('keeps fields that the event does not carry', async () => {
    await upsert('grace', 1);
    await users.updateOne({ _id: 'grace' }, { $set: { local: true } } as object);
    await upsert('grace', 2);
    expect(await users.findOne({ _id: 'grace' })).toEqual({
      _id: 'grace',
      version: 2,
      name: 'name-2',
      local: true,
    });
  });

  it('rejects with errors other than the race', async () => {
    const broken = { updateOne: () => Promise.reject(new Error('no connection')) };
    await expect(upsertIfNewer(broken, 'a', 1, {})).rejects.toThrow('no connection');
  });

  it('ends in the newest version for any races, repetitions and order of calls', async () => {
    let world = 0;
    const versions = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(versions, { minLength: 1, maxLength: 4 }), async (rounds) => {
        const id = `raced-${world++}`;
        const changes: number[] = [];
        for (const round of rounds) {
          const outcomes = await Promise.all(
            round.map(async (version) => ({ version, changed: await upsert(id, version) })),
          );
          changes.push(...outcomes.filter(({ changed }) => changed).map(({ version }) => version));
          const newest = Math.max(...changes);
          expect(await users.findOne({ _id: id })).toEqual({
            _id: id,
            version: newest,
            name: `name-${newest}`,
          });
        }
        expect(Math.max(...changes)).toBe(Math.max(...rounds.flat()));
        // A version takes effect at most once.
        expect(new Set(changes).size).toBe(changes.length);
      }),
      { numRuns: propertyRuns(60), ...PROPERTY_LIMIT },
    );
  });
});
