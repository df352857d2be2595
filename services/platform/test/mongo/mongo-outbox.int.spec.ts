import type { LikeState } from '@pulso/contracts/posts/v1/events';
import { type Connection, createConnection, type mongo } from 'mongoose';
import { pino } from 'pino';
import type { EventRecord } from '../../src/events/event-bus.js';
import { dirty, MONGO_OUTBOX_INDEXES, MongoOutbox } from '../../src/mongo/mongo-outbox.js';
import { OutboxRelay } from '../../src/events/outbox.js';
import { likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { nextVersion } from '../../src/events/version.js';
import { aMongoDatabase, type TestDatabase } from '../../testing/databases.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { aPost } from '../events/recorder.js';

const DAY_MS = 24 * 60 * 60_000;

describe('the outbox in MongoDB', () => {
  let database: TestDatabase;
  let connection: Connection;
  let posts: mongo.Collection<mongo.Document & { _id: string }>;
  let likes: typeof posts;
  let clock: ManualClock;
  let published: EventRecord[];
  /** The documents passed to `beforeForgotten`, as stored at that time. */
  let forgetting: { _id: string; version: number; dirtyAt?: Date }[];
  let failing: boolean;
  /** The posts that can never be forgotten. */
  let stuck: Set<string>;
  let outbox: MongoOutbox;
  let relay: OutboxRelay;

  beforeEach(async () => {
    database = aMongoDatabase('platform');
    connection = await createConnection(database.url).asPromise();
    posts = await prepared('posts');
    likes = await prepared('likes');
    clock = new ManualClock();
    published = [];
    forgetting = [];
    failing = false;
    stuck = new Set();
    outbox = new MongoOutbox(
      [
        {
          collection: () => posts as unknown as mongo.Collection,
          topic: postTopic,
          toState: ({ _id, version, deletedAt }) =>
            aPost({ id: _id, version, deleted: deletedAt !== undefined }),
          async beforeForgotten(documents) {
            for (const { _id, version } of documents) {
              const { dirtyAt } = (await posts.findOne({ _id }))!;
              forgetting.push({ _id, version, dirtyAt });
            }
            for (const { _id } of documents) if (stuck.has(_id)) throw new Error(`${_id} is stuck`);
            if (failing) throw new Error('not forgotten');
          },
        },
        {
          collection: () => likes as unknown as mongo.Collection,
          topic: likeTopic,
          toState: ({ version, targetId, userId }): LikeState => ({
            userId,
            targetId,
            version,
            postId: targetId,
            onComment: false,
            targetAuthorId: 'ada',
            active: true,
            createdAt: 0,
          }),
        },
      ],
      clock,
    );
    relay = new OutboxRelay({
      sources: [outbox],
      logger: pino({ level: 'silent' }),
      bus: { publish: async (events) => void published.push(...events) },
    });
  });

  afterEach(async () => {
    await relay?.stop();
    await connection?.close();
    await database?.drop();
  });

  async function prepared(name: string): Promise<typeof posts> {
    const collection = connection.db!.collection<mongo.Document & { _id: string }>(name);
    await collection.createIndexes(MONGO_OUTBOX_INDEXES.map((index) => ({ ...index })));
    return collection;
  }

  /** Changes a document as services do: version and dirtyAt in the same update. */
  async function write(id: string, fields: object = {}, unset: object = {}): Promise<number> {
    clock.advance(1);
    const version = nextVersion((await posts.findOne({ _id: id }))?.version, clock);
    const set = { ...fields, version, ...dirty(version, new Date(clock.now())) };
    const update = Object.keys(unset).length > 0 ? { $set: set, $unset: unset } : { $set: set };
    await posts.updateOne({ _id: id }, update, { upsert: true });
    return version;
  }

  const remove = (id: string) => write(id, { deletedAt: new Date(clock.now()) }, { content: '' });
  const names = () => published.map(({ key, version }) => `${key}@${version}`);

  it('publishes the current state of changed documents once, oldest change first', async () => {
    await write('a');
    const b = await write('b');
    const a = await write('a', { content: 'edited' });
    expect(await outbox.depth()).toBe(2);
    await relay.drain();
    expect(names()).toEqual([`b@${b}`, `a@${a}`]);
    expect(postTopic.codec.decode(published[1]!.payload)).toEqual(aPost({ id: 'a', version: a }));
    expect(forgetting.map(({ _id }) => _id).toSorted()).toEqual(['a', 'b']);
    for (const { dirtyAt } of forgetting) expect(dirtyAt).toBeInstanceOf(Date);
    expect(await outbox.depth()).toBe(0);
    expect(await posts.findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      version: a,
      dirtyVersion: a,
      content: 'edited',
    });
    await relay.drain();
    expect(published).toHaveLength(2);
  });

  it('serves several collections, in batches', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({
      version: 1,
      ...dirty(1, new Date(1 + index)),
    }));
    await posts.insertMany(many.map((fields, index) => ({ _id: `p${index}`, ...fields })));
    await likes.insertMany(
      many.map((fields, index) => ({ _id: `l${index}`, targetId: `t${index}`, userId: 'u', ...fields })),
    );
    expect(await outbox.pending(7)).toHaveLength(7);
    await relay.drain();
    expect(new Set(names()).size).toBe(500);
    expect(names()).toEqual(expect.arrayContaining(['p249@1', 't249_u@1']));
    expect(await outbox.depth()).toBe(0);
  });

  it('keeps a change that was made while the previous one was being published', async () => {
    const first = await write('a');
    const sent = await outbox.pending(10);
    const second = await write('a');
    await outbox.published(sent);
    expect((await posts.findOne({ _id: 'a' }))!.dirtyAt).toBeInstanceOf(Date);
    await relay.drain();
    expect(sent.map(({ version }) => version)).toEqual([first]);
    expect(names()).toEqual([`a@${second}`]);
  });

  it('keeps a change of the same millisecond', async () => {
    const first = await write('a');
    const sent = await outbox.pending(10);
    clock.advance(-1);
    const second = await write('a');
    await outbox.published(sent);
    await relay.drain();
    expect(sent.map(({ version }) => version)).toEqual([first]);
    expect(names()).toEqual([`a@${second}`]);
  });

  it.each(['with', 'without'])(
    'keeps a change by a replica that does not know dirtyVersion, over one %s it',
    async (before) => {
      const first = await write('a');
      if (before === 'without') await posts.updateOne({ _id: 'a' }, { $unset: { dirtyVersion: '' } });
      const sent = await outbox.pending(10);
      clock.advance(1);
      const second = first + 1;
      await posts.updateOne({ _id: 'a' }, { $set: { version: second, dirtyAt: new Date(clock.now()) } });
      await outbox.published(sent);
      await relay.drain();
      expect(names()).toEqual([`a@${second}`]);
      expect(await outbox.depth()).toBe(0);
    },
  );

  it('clears a published change although an unpublished change has been made since', async () => {
    await write('a');
    const sent = await outbox.pending(10);
    await posts.updateOne({ _id: 'a' }, { $inc: { version: 1 } });
    await outbox.published(sent);
    expect(await outbox.depth()).toBe(0);
  });

  it('clears no change while `beforeForgotten` fails', async () => {
    await write('a');
    failing = true;
    await expect(relay.drain()).rejects.toThrow('not forgotten');
    expect(await outbox.depth()).toBe(1);
    failing = false;
    await relay.drain();
    expect(await outbox.depth()).toBe(0);
    expect(forgetting).toHaveLength(2);
  });

  it('forgets all but the documents for which what is to be done before fails, and names those', async () => {
    for (const id of ['a', 'b', 'c']) await write(id);
    stuck.add('b');
    await likes.insertOne({ _id: 'l', targetId: 't', userId: 'u', version: 1, ...dirty(1, new Date(1)) });
    await expect(relay.drain()).rejects.toThrow(`${postTopic.name} b: Error: b is stuck`);
    const left = await posts.find({ dirtyAt: { $exists: true } }).toArray();
    expect(left.map(({ _id }) => _id)).toEqual(['b']);
    expect(await outbox.depth()).toBe(1);
    stuck.clear();
    await relay.drain();
    expect(await outbox.depth()).toBe(0);
  });

  it('publishes the other collections though the oldest 200 documents of one are stuck', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `p${index}`);
    stuck = new Set(ids);
    await posts.insertMany(ids.map((_id) => ({ _id, version: 1, ...dirty(1, new Date(1)) })));
    await likes.insertOne({ _id: 'l', targetId: 't', userId: 'u', version: 1, ...dirty(1, new Date(2)) });
    await expect(relay.drain()).rejects.toThrow('is stuck');
    expect(names()).toContain('t_u@1');
    expect(names()).toHaveLength(200);
    expect(await likes.findOne({ _id: 'l' })).not.toHaveProperty('dirtyAt');
  });

  it('publishes a state again, under the same id, after a crash before its change was cleared', async () => {
    await write('a');
    const [before] = await outbox.pending(10);
    const [after] = await outbox.pending(10);
    expect(after!.id).toBe(before!.id);
    await Promise.all([outbox.published([before!]), outbox.published([after!])]);
    expect(await outbox.depth()).toBe(0);
    await expect(outbox.published([{ ...before! }])).rejects.toThrow('did not come from this outbox');
  });

  describe('deletion', () => {
    it('is published as a state and removed 7 days after that', async () => {
      await write('kept', { content: 'stays' });
      await write('gone', { content: 'secret' });
      await remove('gone');
      // No relay runs for a month: the seven days start with the publication.
      clock.advance(30 * DAY_MS);
      await outbox.removeExpired();
      await relay.drain();
      expect(postTopic.codec.decode(published.find(({ key }) => key === 'gone')!.payload).deleted).toBe(true);
      clock.advance(7 * DAY_MS - 1);
      await outbox.removeExpired();
      expect(await posts.countDocuments({ _id: 'gone' })).toBe(1);
      clock.advance(1);
      await outbox.removeExpired();
      expect(await posts.countDocuments({ _id: 'gone' })).toBe(0);
      expect(await posts.countDocuments({ _id: 'kept' })).toBe(1);
    });

    it('does not remove restored documents', async () => {
      await write('a');
      await remove('a');
      await relay.drain();
      await write('a', {}, { deletedAt: '' });
      clock.advance(8 * DAY_MS);
      await outbox.removeExpired();
      await relay.drain();
      expect(await posts.findOne({ _id: 'a' })).not.toHaveProperty('expiresAt');
      await outbox.removeExpired();
      expect(await posts.countDocuments({ _id: 'a' })).toBe(1);
    });

    it('never removes documents that are not deleted', async () => {
      await posts.insertOne({ _id: 'a', version: 1, expiresAt: new Date(1) });
      await outbox.removeExpired();
      expect(await posts.countDocuments({ _id: 'a' })).toBe(1);
    });

    it('waits for a deletion that is not published yet', async () => {
      await write('a');
      await remove('a');
      await relay.drain();
      await write('a', {}, { deletedAt: '' });
      await remove('a');
      clock.advance(8 * DAY_MS);
      await outbox.removeExpired();
      expect(await outbox.depth()).toBe(1);
      await relay.drain();
      clock.advance(7 * DAY_MS);
      await outbox.removeExpired();
      expect(await posts.countDocuments({ _id: 'a' })).toBe(0);
    });

    it('removes more than one batch', async () => {
      await posts.insertMany(
        Array.from({ length: 1_100 }, (_, index) => ({
          _id: `p${index}`,
          version: 1,
          deletedAt: new Date(1),
          expiresAt: new Date(2),
        })),
      );
      await outbox.removeExpired();
      expect(await posts.findOne({})).toBeNull();
    });
  });
});
