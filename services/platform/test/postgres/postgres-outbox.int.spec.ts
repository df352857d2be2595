import type { PoolClient } from 'pg';
import { jest } from '@jest/globals';
import type { PostState } from '@pulso/contracts/posts/v1/events';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { currentContext, runInContext, type RequestContext } from '../../src/context/request-context.js';
import { drainEvents } from '../../src/events/outbox/drain-events.js';
import { migrateBus } from '../../src/events/in-process/bus-schema.js';
import type { EventRecord } from '../../src/events/event-bus.js';
import { InProcessBus } from '../../src/events/in-process/in-process-bus.js';
import { OutboxRelay } from '../../src/events/outbox/outbox.js';
import type { OutboxSource } from '../../src/events/outbox/outbox-source.js';
import { type PostgresOutbox, stageEvents } from '../../src/postgres/postgres-outbox.js';
import { postTopic } from '@pulso/contracts/topics/posts';
import { aPost, Recorder } from '../events/recorder.js';
import { gate } from '../../testing/gate.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { anOutboxDatabase } from './outbox-database.js';
import { stageEvent } from '../stage-event.js';

const logger = pino({ level: 'silent' });
const NEVER = 1_000_000_000;

/** A fake of the bus that records the published events. */
class PublishedLog {
  readonly events: EventRecord[] = [];
  failures = 0;

  async publish(events: readonly EventRecord[]): Promise<void> {
    if (this.failures-- > 0) throw new Error('the bus is down');
    this.events.push(...events);
  }

  get names(): string[] {
    return this.events.map(({ key, version }) => `${key}@${version}`);
  }
}

describe('the outbox in PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof anOutboxDatabase>>;
  let dataSource: DataSource;
  let outbox: PostgresOutbox;

  beforeEach(async () => {
    database = await anOutboxDatabase();
    ({ dataSource, outbox } = database);
    await dataSource.query('CREATE TABLE post (id text PRIMARY KEY, version bigint NOT NULL)');
  });

  const write = (state: PostState, commit = true) =>
    dataSource.transaction(async (manager) => {
      await manager.query(
        'INSERT INTO post VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET version = excluded.version',
        [state.id, state.version],
      );
      await stageEvent(manager, postTopic, state);
      if (!commit) throw new Error('rolled back');
    });

  const pending = () => database.pending();

  function relay(options: { sources?: OutboxSource[]; bus: Pick<InProcessBus, 'publish'>; pollMs?: number }) {
    const made = new OutboxRelay({ sources: [outbox], logger, pollMs: NEVER, ...options });
    onTestEnd(() => made.stop());
    return made;
  }

  /** The outbox with some of its functions replaced. */
  const altered = (changes: Partial<OutboxSource>): OutboxSource => ({
    pending: (limit, except) => outbox.pending(limit, except),
    published: (events) => outbox.published(events),
    claim: () => outbox.claim(),
    unclaim: () => outbox.unclaim(),
    depth: () => outbox.depth(),
    ...changes,
  });

  it('holds committed states and no rolled back ones', async () => {
    await write(aPost({ id: 'kept', version: 5 }));
    await expect(write(aPost({ id: 'lost' }), false)).rejects.toThrow('rolled back');
    expect(await dataSource.query('SELECT id FROM post')).toEqual([{ id: 'kept' }]);
    expect(await outbox.depth()).toBe(1);
    const [event, ...others] = await pending();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ topic: postTopic.name, key: 'kept', version: 5, republished: false });
    expect(event!.headers).toEqual({
      ce_specversion: '1.0',
      ce_id: 'pulso.posts.post.v1/kept/5',
      ce_source: 'pulso.posts',
      ce_type: 'pulso.posts.post.v1',
    });
    expect(postTopic.codec.decode(event!.payload)).toEqual(aPost({ id: 'kept', version: 5 }));
  });

  it('has migrations that can be reverted', async () => {
    for (let count = dataSource.migrations.length; count > 0; count -= 1)
      await dataSource.undoLastMigration();
    await expect(outbox.depth()).rejects.toThrow('does not exist');
  });

  it('keeps the newest state of a key', async () => {
    await write(aPost({ version: 2 }));
    await write(aPost({ version: 7, authorId: 'newest' }));
    const events = await pending();
    expect(events.map(({ version }) => version)).toEqual([7]);
    expect(postTopic.codec.decode(events[0]!.payload).authorId).toBe('newest');
  });

  it('takes many states by one statement, the newest of each key', async () => {
    await write(aPost({ id: 'b', version: 1 }));
    const states = [
      aPost({ id: 'a', version: 3, authorId: 'newest' }),
      aPost({ id: 'a', version: 2 }),
      aPost({ id: 'b', version: 4 }),
      aPost({ id: 'c', version: 1 }),
    ];
    const asked: unknown[] = [];
    await dataSource.transaction(async (manager) => {
      const connection = (await manager.queryRunner!.connect()) as PoolClient;
      const query = jest.spyOn(connection, 'query');
      await stageEvents(manager, postTopic, states);
      await stageEvents(manager, postTopic, []);
      asked.push(...query.mock.calls);
      query.mockRestore();
    });
    expect(asked).toHaveLength(1);
    const events = await pending();
    expect(events.map(({ key, version }) => `${key}@${version}`).toSorted()).toEqual(['a@3', 'b@4', 'c@1']);
    const a = events.find(({ key }) => key === 'a')!;
    expect(postTopic.codec.decode(a.payload)).toEqual(states[0]);
  });

  it('takes all of many states or none', async () => {
    const rolledBack = dataSource.transaction(async (manager) => {
      await stageEvents(manager, postTopic, [aPost({ id: 'a' }), aPost({ id: 'b' })]);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await outbox.depth()).toBe(0);
  });

  it('carries the trace of the writing request', async () => {
    const request = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    } as RequestContext;
    await runInContext(request, () => write(aPost()));
    expect((await pending())[0]!.headers.traceparent).toBe(request.traceparent);
  });

  it('keeps a state that was written while the previous one was being published', async () => {
    await write(aPost({ version: 1 }));
    const sent = await pending();
    await write(aPost({ version: 2 }));
    await outbox.published(sent);
    expect((await pending()).map(({ version }) => version)).toEqual([2]);
  });

  describe('relay', () => {
    it('publishes when nudged, outside of the request', async () => {
      const done = gate('the publication after the nudge');
      const log = new PublishedLog();
      const contexts: unknown[] = [];
      const bus = {
        async publish(events: readonly EventRecord[]) {
          contexts.push(currentContext());
          await log.publish(events);
          done.open();
        },
      };
      const nudged = relay({ bus });
      nudged.nudge();
      nudged.start();
      await nudged.drain();
      await runInContext({ requestId: 'r' } as RequestContext, async () => {
        await write(aPost());
        nudged.nudge();
      });
      await done.opened;
      await nudged.stop();
      expect(log.names).toEqual(['post-1@1']);
      expect(contexts).toEqual([undefined]);
      expect(await outbox.depth()).toBe(0);
    });

    it('publishes by polling without nudges', async () => {
      const log = new PublishedLog();
      const done = gate('the publication after a poll');
      const source = altered({ published: (events) => outbox.published(events).finally(() => done.open()) });
      relay({ sources: [source], bus: log, pollMs: 2 }).start();
      await write(aPost());
      await done.opened;
      expect(log.names).toEqual(['post-1@1']);
    });

    it('empties a backlog of several batches', async () => {
      await dataSource.transaction(async (manager) => {
        for (let index = 0; index < 450; index += 1)
          await stageEvent(manager, postTopic, aPost({ id: `p${index}` }));
      });
      const log = new PublishedLog();
      const started = relay({ bus: log });
      expect(await started.depth()).toBe(450);
      await started.drain();
      expect(new Set(log.names).size).toBe(450);
      expect(await started.depth()).toBe(0);
    });

    it('publishes a state again, under the same id, after a crash before its removal', async () => {
      await write(aPost());
      const log = new PublishedLog();
      const crashing = altered({ published: () => Promise.reject(new Error('crash')) });
      await expect(relay({ sources: [crashing], bus: log }).drain()).rejects.toThrow('crash');
      expect(await outbox.depth()).toBe(1);
      await relay({ bus: log }).drain();
      expect(log.names).toEqual(['post-1@1', 'post-1@1']);
      expect(log.events[0]!.id).toBe(log.events[1]!.id);
      expect(await outbox.depth()).toBe(0);
    });

    it('loses no state when the bus fails', async () => {
      await write(aPost());
      const log = new PublishedLog();
      log.failures = 1;
      const relaying = relay({ bus: log });
      await expect(relaying.drain()).rejects.toThrow('the bus is down');
      await relaying.drain();
      expect(log.names).toEqual(['post-1@1']);
    });

    it('retries for ever, counts failures, and serves other sources meanwhile', async () => {
      const registry = new Registry();
      const log = new PublishedLog();
      const recovered = gate('the recovery of the flaky source');
      let failures = 3;
      const flaky = altered({
        pending: async () => {
          if (failures-- > 0) throw new Error('the store is down');
          recovered.open();
          return { events: [], failures: [] };
        },
      });
      const published = gate<number>('the publication of the healthy source');
      const healthy = altered({
        published: (events) => outbox.published(events).finally(() => published.open(failures)),
      });
      await write(aPost());
      const both = new OutboxRelay({ sources: [flaky, healthy], bus: log, logger, pollMs: 2, registry });
      onTestEnd(() => both.stop());
      both.start();
      expect(await published.opened).toBeGreaterThanOrEqual(0);
      await recovered.opened;
      await both.stop();
      expect(log.names).toEqual(['post-1@1']);
      expect(await registry.metrics()).toContain('pulso_outbox_relay_failures_total 3');
    });

    it('is safe to run with other relays', async () => {
      await migrateBus(database.pool);
      const recorder = new Recorder('posts');
      const bus = new InProcessBus({ pool: database.pool, logger, pollMs: NEVER });
      bus.subscribe(recorder);
      onTestEnd(() => bus.stop());
      await bus.start();
      const [one, two] = [relay({ bus }), relay({ bus })];
      for (let version = 1; version <= 20; version += 1) {
        await Promise.all([
          write(aPost({ id: 'a', version })),
          write(aPost({ id: 'b', version })),
          one.drain(),
          two.drain(),
        ]);
      }
      await drainEvents({ relays: [one, two], bus, timeoutMs: 100_000 });
      await bus.stop();
      expect(new Set(recorder.handled).size).toBe(recorder.handled.length);
      expect(recorder.handled).toEqual(expect.arrayContaining(['a@20', 'b@20']));
    });

    it('reports the remaining events when they do not drain', async () => {
      await write(aPost());
      const stuck = altered({ pending: async () => ({ events: [], failures: [] }) });
      const draining = drainEvents({
        relays: [relay({ sources: [stuck], bus: new PublishedLog() })],
        bus: { pending: async () => 2 },
        timeoutMs: 1,
      });
      await expect(draining).rejects.toThrow('Still 2 deliveries and 1 unpublished states after 1 ms');
    });
  });
});
