import { likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { EventsFailed } from '../../src/events/events-failed.js';
import { dirty } from '../../src/mongo/mongo-outbox.js';
import { aPost } from '../events/recorder.js';
import { anOutboxWorld, type OutboxWorld } from './outbox-world.js';

const DAY_MS = 24 * 60 * 60_000;

describe('the outbox in MongoDB', () => {
  let world: OutboxWorld;
  let posts: OutboxWorld['posts'];
  let likes: OutboxWorld['likes'];
  let clock: OutboxWorld['clock'];
  let published: OutboxWorld['published'];
  let forgetting: OutboxWorld['forgetting'];
  let removing: OutboxWorld['removing'];
  let faults: OutboxWorld['faults'];
  let outbox: OutboxWorld['outbox'];
  let relay: OutboxWorld['relay'];
  let write: OutboxWorld['write'];
  let remove: OutboxWorld['remove'];

  beforeEach(async () => {
    world = await anOutboxWorld();
    ({ posts, likes, clock, published, forgetting, removing, faults, outbox, relay, write, remove } = world);
  });
  afterEach(() => world?.close());

  const stay = new AbortController().signal;
  const names = () => published.map(({ key, version }) => `${key}@${version}`);

  /** Publishes all that is pending. */
  const clear = async () => outbox.published((await outbox.pending(200)).events);

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
      many.map((fields, index) => ({ _id: `t${index}_u`, targetId: `t${index}`, userId: 'u', ...fields })),
    );
    expect((await outbox.pending(7)).events).toHaveLength(7);
    await relay.drain();
    expect(new Set(names()).size).toBe(500);
    expect(names()).toEqual(expect.arrayContaining(['p249@1', 't249_u@1']));
    expect(await outbox.depth()).toBe(0);
  });

  it('keeps a change that was made while the previous one was being published', async () => {
    const first = await write('a');
    const { events: sent } = await outbox.pending(10);
    const second = await write('a');
    await outbox.published(sent);
    expect((await posts.findOne({ _id: 'a' }))!.dirtyAt).toBeInstanceOf(Date);
    await relay.drain();
    expect(sent.map(({ version }) => version)).toEqual([first]);
    expect(names()).toEqual([`a@${second}`]);
  });

  it('keeps a change of the same millisecond', async () => {
    const first = await write('a');
    const { events: sent } = await outbox.pending(10);
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
      const { events: sent } = await outbox.pending(10);
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
    const { events: sent } = await outbox.pending(10);
    await posts.updateOne({ _id: 'a' }, { $inc: { version: 1 } });
    await outbox.published(sent);
    expect(await outbox.depth()).toBe(0);
  });

  it('clears no change while `beforeOutboxClear` fails', async () => {
    await write('a');
    faults.failing = true;
    await expect(clear()).rejects.toThrow('not forgotten');
    expect(await outbox.depth()).toBe(1);
    faults.failing = false;
    await clear();
    expect(await outbox.depth()).toBe(0);
    expect(forgetting).toHaveLength(2);
  });

  it.each([['one by one', false] as const, ['at once', true] as const])(
    'forgets all but the documents for which what is to be done before fails, and names those: %s',
    async (_, named) => {
      for (const id of ['a', 'b', 'c']) await write(id);
      faults.stuck.add('b');
      faults.naming = named;
      await likes.insertOne({
        _id: 't_u',
        targetId: 't',
        userId: 'u',
        version: 1,
        ...dirty(1, new Date(1)),
      });
      const failed = (await clear().catch((error: unknown) => error)) as EventsFailed;
      expect(failed).toBeInstanceOf(EventsFailed);
      expect(failed.failures).toEqual([{ topic: postTopic.name, key: 'b', error: new Error('b is stuck') }]);
      const left = await posts.find({ dirtyAt: { $exists: true } }).toArray();
      expect(left.map(({ _id }) => _id)).toEqual(['b']);
      expect(await outbox.depth()).toBe(1);
      // Named documents are not tried again one by one.
      expect(forgetting.filter(({ _id }) => _id === 'b')).toHaveLength(named ? 1 : 2);
      faults.stuck.clear();
      await clear();
      expect(await outbox.depth()).toBe(0);
    },
  );

  it('gives the other collections their share though 250 documents of one come first', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `p${index}`);
    await posts.insertMany(ids.map((_id) => ({ _id, version: 1, ...dirty(1, new Date(1)) })));
    await likes.insertOne({ _id: 't_u', targetId: 't', userId: 'u', version: 1, ...dirty(1, new Date(2)) });
    const { events } = await outbox.pending(200);
    expect(events).toHaveLength(200);
    expect(events.map(({ key }) => key)).toContain('t_u');
  });

  it('leaves out topics and entities', async () => {
    for (const id of ['a', 'b', 'c']) await write(id);
    const own = { version: 1, ...dirty(1, new Date(1)) };
    for (const userId of ['a', 'u'])
      await likes.insertOne({ _id: `t_${userId}`, targetId: 't', userId, ...own });
    const keys = async (topics: string[], entities: { topic: string; key: string }[]) =>
      (await outbox.pending(3, { topics, entities })).events.map(({ key }) => key).toSorted();
    const [post, like] = [postTopic.name, likeTopic.name];
    expect(await keys([like], [])).toEqual(['a', 'b', 'c']);
    expect(await keys([post], [])).toEqual(['t_a', 't_u']);
    expect(await keys([post, like], [])).toEqual([]);
    const entities = [
      { topic: post, key: 'a' },
      { topic: post, key: 't_u' },
      { topic: like, key: 't_a' },
      { topic: like, key: 'b' },
    ];
    expect(await keys([], entities)).toEqual(['b', 'c', 't_u']);
  });

  it('sets documents without a state aside, within the limit', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await write(id);
    faults.broken.add('a');
    faults.misnamed.add('c');
    const { events, failures } = await outbox.pending(3);
    expect(events.map(({ key }) => key)).toEqual(['b']);
    const topic = postTopic.name;
    expect(failures).toEqual([
      { topic, key: 'a', error: new Error('a is broken') },
      { topic, key: 'c', error: new Error('its state has the key other') },
    ]);
    const rest = await outbox.pending(3, { topics: [], entities: failures });
    expect(rest.failures).toEqual([]);
    expect(rest.events.map(({ key }) => key)).toEqual(['b', 'd']);
  });

  it('publishes a state again, under the same id, after a crash before its change was cleared', async () => {
    await write('a');
    const [before] = (await outbox.pending(10)).events;
    const [after] = (await outbox.pending(10)).events;
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
      await outbox.removeExpired(stay);
      await relay.drain();
      expect(postTopic.codec.decode(published.find(({ key }) => key === 'gone')!.payload).deleted).toBe(true);
      clock.advance(7 * DAY_MS - 1);
      await outbox.removeExpired(stay);
      expect(await posts.countDocuments({ _id: 'gone' })).toBe(1);
      clock.advance(1);
      await outbox.removeExpired(stay);
      expect(await posts.countDocuments({ _id: 'gone' })).toBe(0);
      expect(await posts.countDocuments({ _id: 'kept' })).toBe(1);
    });

    it('does not remove restored documents', async () => {
      await write('a');
      await remove('a');
      await relay.drain();
      await write('a', {}, { deletedAt: '' });
      clock.advance(8 * DAY_MS);
      await outbox.removeExpired(stay);
      await relay.drain();
      expect(await posts.findOne({ _id: 'a' })).not.toHaveProperty('expiresAt');
      await outbox.removeExpired(stay);
      expect(await posts.countDocuments({ _id: 'a' })).toBe(1);
    });

    it('never removes documents that are not deleted', async () => {
      await posts.insertOne({ _id: 'a', version: 1, expiresAt: new Date(1) });
      await outbox.removeExpired(stay);
      expect(await posts.countDocuments({ _id: 'a' })).toBe(1);
    });

    it('waits for a deletion that is not published yet', async () => {
      await write('a');
      await remove('a');
      await relay.drain();
      await write('a', {}, { deletedAt: '' });
      await remove('a');
      clock.advance(8 * DAY_MS);
      await outbox.removeExpired(stay);
      expect(await outbox.depth()).toBe(1);
      await relay.drain();
      clock.advance(7 * DAY_MS);
      await outbox.removeExpired(stay);
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
      await outbox.removeExpired(stay);
      expect(await posts.findOne({})).toBeNull();
      expect(removing.length).toBeGreaterThan(3);
      for (const projection of removing) expect(projection).toEqual({ _id: 1 });
    });

    it('ends between two batches when it is to stop', async () => {
      const expired = { version: 1, deletedAt: new Date(1), expiresAt: new Date(2) };
      await posts.insertMany(Array.from({ length: 1_100 }, (_, index) => ({ _id: `p${index}`, ...expired })));
      const stop = new AbortController();
      faults.onRemoving = () => stop.abort();
      await outbox.removeExpired(stop.signal);
      expect(await posts.countDocuments({})).toBe(600);
      await outbox.removeExpired(stop.signal);
      expect(await posts.countDocuments({})).toBe(600);
    });
  });
});
