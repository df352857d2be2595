import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { pino } from 'pino';
import { migrateBus } from '../../src/events/in-process/bus-schema.js';
import type { Consumer } from '../../src/events/event-bus.js';
import { InProcessBus } from '../../src/events/in-process/in-process-bus.js';
import { aPostgresDatabase } from '../../testing/databases.js';

describe('projections that a version of Pulso has and the one before had not', () => {
  let database: Awaited<ReturnType<typeof aPostgresDatabase>>;
  let bus: InProcessBus | undefined;

  beforeAll(async () => {
    database = await aPostgresDatabase('new_projections');
  });
  afterEach(() => bus?.stop());
  afterAll(() => database?.drop());

  /** Starts the bus of the next version of the process. */
  async function restart(...consumers: Consumer<unknown>[]): Promise<InProcessBus> {
    await bus?.stop();
    await migrateBus(database.pool);
    bus = new InProcessBus({ pool: database.pool, logger: pino({ level: 'silent' }) });
    for (const consumer of consumers) bus.subscribe(consumer);
    await bus.start();
    return bus;
  }

  const posts = (): Consumer<unknown> => ({
    group: 'feed.post',
    topic: postTopic,
    handle: async () => undefined,
  });
  const comments = (reaction = false): Consumer<unknown> => ({
    ...posts(),
    topic: commentTopic,
    group: 'feed.comment',
    reaction,
  });

  it('need the older states until they have been published again', async () => {
    const first = await restart(posts());
    expect(await first.unfilledTopics()).toEqual([postTopic.name]);
    await first.markFilled(postTopic.name);
    expect(await first.unfilledTopics()).toEqual([]);

    expect(await (await restart(posts(), comments())).unfilledTopics()).toEqual([commentTopic.name]);
    // As after a kill in the middle of the republication.
    const again = await restart(posts(), comments());
    expect(await again.unfilledTopics()).toEqual([commentTopic.name]);
    await again.markFilled(commentTopic.name);
    expect(await (await restart(posts(), comments())).unfilledTopics()).toEqual([]);
  });

  it('are none in a bus of the version that did not note it, nor are reactions', async () => {
    await restart(posts());
    await database.pool.query('ALTER TABLE bus_subscriptions DROP COLUMN filled');
    expect(await (await restart(posts(), comments(true))).unfilledTopics()).toEqual([]);
  });
});
