import { pino } from 'pino';
import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { migrateBus } from '../../src/events/in-process/bus-schema.js';
import { drainEvents } from '../../src/events/outbox/drain-events.js';
import type { Consumer, EventRecord } from '../../src/events/event-bus.js';
import { InProcessBus } from '../../src/events/in-process/in-process-bus.js';
import { aPostgresDatabase } from '../../testing/databases.js';
import { postEvent, Recorder } from './recorder.js';

let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
let bus: InProcessBus | undefined;

beforeAll(async () => {
  database = await aPostgresDatabase('groups');
  await migrateBus(database.pool);
});
beforeEach(() =>
  database.pool.query('TRUNCATE bus_events, bus_subscriptions, bus_deliveries, bus_dead_letters'),
);
afterEach(() => bus?.stop());
afterAll(() => database?.drop());

const NEVER = 1_000_000_000;

/** Starts a bus with these consumers as the next version of the process. */
async function restart(...consumers: Consumer<unknown>[]): Promise<InProcessBus> {
  await bus?.stop();
  bus = new InProcessBus({
    pool: database.pool,
    logger: pino({ level: 'silent' }),
    pollMs: NEVER,
    retry: { attempts: 1 },
  });
  for (const consumer of consumers) bus.subscribe(consumer);
  await bus.start();
  return bus;
}

const drained = (running: InProcessBus) => drainEvents({ relays: [], bus: running, timeoutMs: 100_000 });

/** Publishes events while nothing runs that handles them. */
async function publishUnhandled(...events: EventRecord[]): Promise<void> {
  await bus?.stop();
  bus = undefined;
  const idle = new InProcessBus({ pool: database.pool, logger: pino({ level: 'silent' }) });
  await idle.publish(events);
}

async function groups(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT grp || ' ' || topic AS name FROM bus_subscriptions ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** The present version's projection, with the names of two versions before. */
const aRenamed = () => new Recorder('feed.post', { formerGroups: ['feed.posts', 'feed'] });

const failing = (group: string) =>
  new Recorder(group, {
    before: ({ id }) => {
      if (id === 'bad') throw new Error('refused');
    },
  });

it.each(['feed', 'feed.posts'])(
  'the group %s keeps its position and dead letters under its new name',
  async (old) => {
    const before = await restart(failing(old));
    await before.publish([postEvent('handled'), postEvent('bad')]);
    await drained(before);
    await publishUnhandled(postEvent('outstanding'));
    const renamed = aRenamed();
    const after = await restart(renamed);
    await drained(after);
    expect(renamed.handled).toEqual(['outstanding@1']);
    expect(await groups()).toEqual([`feed.post ${postTopic.name}`]);
    expect(await after.deadLetters()).toMatchObject([{ group: 'feed.post', key: 'bad' }]);
    expect(await after.replay('feed.post')).toMatchObject({ tried: 1, failed: 0 });
    expect(renamed.handled).toEqual(['outstanding@1', 'bad@1']);
  },
);

it('a group of several topics becomes several groups', async () => {
  const comments = () => ({ topic: commentTopic, handle: async () => undefined });
  await restart(new Recorder('feed'), { ...comments(), group: 'feed' });
  await publishUnhandled(postEvent('outstanding'));
  const post = aRenamed();
  await drained(await restart(post, { ...comments(), group: 'feed.comment', formerGroups: ['feed'] }));
  expect(post.handled).toEqual(['outstanding@1']);
  expect(await groups()).toEqual([`feed.comment ${commentTopic.name}`, `feed.post ${postTopic.name}`]);
});

it('of two former groups the one that ran last is renamed', async () => {
  await restart(new Recorder('feed'));
  await publishUnhandled(postEvent('outstanding'));
  await database.pool.query(
    `INSERT INTO bus_subscriptions SELECT 'feed.posts', topic, reaction, seen_at + interval '1 day' FROM bus_subscriptions`,
  );
  const renamed = aRenamed();
  await drained(await restart(renamed));
  expect(renamed.handled).toEqual([]);
  expect(await groups()).toEqual([`feed ${postTopic.name}`, `feed.post ${postTopic.name}`]);
});

it('dead letters of all former groups become those of the present one', async () => {
  const oldest = await restart(failing('feed'));
  await oldest.publish([postEvent('bad')]);
  await drained(oldest);
  const older = await restart(failing('feed.posts'));
  await drained(older);
  await restart(new Recorder('feed.post'));
  const after = await restart(aRenamed());
  expect(await after.deadLetters()).toMatchObject([{ group: 'feed.post', key: 'bad' }]);
});

it('a reaction keeps its position, too', async () => {
  await restart(new Recorder('feed.mail', { reaction: true }));
  await publishUnhandled(postEvent('outstanding'));
  const renamed = new Recorder('feed.letters', { reaction: true, formerGroups: ['feed.mail'] });
  await drained(await restart(renamed));
  expect(renamed.handled).toEqual(['outstanding@1']);
});

it('a group that no consumer names as its former one keeps its name', async () => {
  const first = await restart(new Recorder('feed.old'));
  await first.publish([postEvent('handled')]);
  await drained(first);
  const other = aRenamed();
  await drained(await restart(other));
  expect(await groups()).toEqual([`feed.old ${postTopic.name}`, `feed.post ${postTopic.name}`]);
  expect(other.handled).toEqual(['handled@1']);
});
