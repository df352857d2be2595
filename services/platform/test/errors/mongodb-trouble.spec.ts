import mongoose, { type mongo } from 'mongoose';
import { isStoreTrouble } from '../../src/errors/store-trouble.js';
import { isTransient } from '../../src/events/retry-policy.js';
import { startFakeMongodb } from './fake-mongodb.js';

type Command = 'insert' | 'update' | 'find' | 'getMore';

const failure = (code: number, codeName: string) => ({ ok: 0, code, codeName, errmsg: codeName });
const notConfirmed = (code: number, codeName: string) => ({
  ...{ ok: 1, n: 1, nModified: 1 },
  writeConcernError: { code, codeName, errmsg: codeName },
});
const firstBatch = { ok: 1, cursor: { id: 7n, ns: 'test.posts', firstBatch: [{ _id: 'a' }] } };

/** The driver's errors for MongoDB's responses on the wire. */
describe('store trouble of MongoDB', () => {
  let answers: Partial<Record<Command, mongo.Document>> = {};
  let fake: Awaited<ReturnType<typeof startFakeMongodb>>;
  let client: mongo.MongoClient;

  beforeAll(async () => {
    fake = await startFakeMongodb((command) => {
      const [name = ''] = Object.keys(command);
      return answers[name as Command] ?? { ok: 1 };
    });
    client = await new mongoose.mongo.MongoClient(fake.url, { heartbeatFrequencyMS: 500 }).connect();
  });
  afterAll(async () => {
    await client?.close();
    await fake?.stop();
  });

  const posts = () => client.db().collection<{ _id: string }>('posts');
  const set = { $set: { seen: true } };
  const operations = {
    'a write of one document': () => posts().updateOne({ _id: 'a' }, set),
    'a write of many, which the driver never repeats': () => posts().updateMany({}, set),
    'writes in bulk': () =>
      posts().bulkWrite([{ updateOne: { filter: { _id: 'a' }, update: set } }], { ordered: false }),
    'an insert': () => posts().insertOne({ _id: 'a' }),
    'a read': () => posts().findOne({ _id: 'a' }),
    'the rest of a read': () => posts().find({}, { batchSize: 1 }).toArray(),
  };

  const failing = async (operation: keyof typeof operations): Promise<unknown> => {
    try {
      await operations[operation]();
    } catch (error) {
      return error;
    }
    throw new Error('It did not fail');
  };

  it.each<[keyof typeof operations, typeof answers]>([
    ['a write of one document', { update: failure(10107, 'NotWritablePrimary') }],
    ['a write of many, which the driver never repeats', { update: failure(189, 'PrimarySteppedDown') }],
    ['a write of many, which the driver never repeats', { update: failure(14031, 'OutOfDiskSpace') }],
    ['a write of one document', { update: notConfirmed(64, 'WriteConcernTimeout') }],
    ['writes in bulk', { update: notConfirmed(91, 'ShutdownInProgress') }],
    [
      'writes in bulk',
      { update: { ok: 1, n: 0, writeErrors: [{ index: 0, code: 112, errmsg: 'WriteConflict' }] } },
    ],
    ['an insert', { insert: failure(262, 'ExceededTimeLimit') }],
    ['an insert', { insert: { ...failure(8000, 'Busy'), errorLabels: ['RetryableError'] } }],
    ['a read', { find: failure(13436, 'NotPrimaryOrSecondary') }],
    ['the rest of a read', { find: firstBatch, getMore: failure(11602, 'InterruptedDueToReplStateChange') }],
  ])('is recognized in %s answered %j, and is retried for as long as it lasts', async (operation, given) => {
    answers = given;
    const error = await failing(operation);
    expect([isStoreTrouble(error), isTransient(error, 1_000)]).toEqual([true, true]);
  });

  it.each<[keyof typeof operations, typeof answers]>([
    ['a write of one document', { update: failure(9, 'FailedToParse') }],
    [
      'writes in bulk',
      { update: { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 duplicate key' }] } },
    ],
  ])('does not include defects: %s answered %j', async (operation, given) => {
    answers = given;
    const error = await failing(operation);
    expect([isStoreTrouble(error), isTransient(error)]).toEqual([false, false]);
  });

  it('includes, at first, a read that took too long', async () => {
    answers = { find: failure(50, 'MaxTimeMSExpired') };
    const error = await failing('a read');
    expect([isStoreTrouble(error), isTransient(error, 12), isTransient(error, 13)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
