import { jest } from '@jest/globals';
import { CommentState } from '@pulso/contracts/posts/v1/events';
import fc from 'fast-check';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { Registry } from 'prom-client';
import type { Consumer } from '../../src/events/event-bus.js';
import { eventOf } from '../../src/events/event-record.js';
import { InProcessBus } from '../../src/events/in-process/in-process-bus.js';
import { sweepBus } from '../../src/events/in-process/sweep-bus.js';
import { republish } from '../../src/events/republish.js';
import { LoopPasses } from '../../src/jobs/loop-passes.js';
import type { Clock } from '../../src/time/clock.js';
import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { gate } from '../../testing/gate.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { describeEventBus } from './bus-suite.js';
import { describeSettled } from './delivered-suite.js';
import { drained, inProcessHouse, logger } from './in-process-house.js';
import { aLog, skippedIn } from './logged.js';
import { postEvent, Recorder } from './recorder.js';
import { states } from './republication-suite.js';
import { onTestEnd } from '../../testing/on-test-end.js';
import { PROPERTY_LIMIT, propertyRuns } from '../../testing/property-limit.js';
import { until } from '../../testing/until.js';

const DAY_MS = 24 * 60 * 60_000;

const house = inProcessHouse();

describeEventBus(
  'the in-process bus',
  async () => {
    await house.empty();
    return { bus: (consumers, retry, clock) => house.start(consumers, { retry, clock }) };
  },
  [describeSettled],
);

describe('the in-process bus in PostgreSQL', () => {
  beforeEach(() => house.empty());

  const eventCount = async () =>
    (await house.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM bus_events')).rows[0]!
      .count;

  /** A bus that has ended its first sweep. */
  const sweptBus = async (consumers: Recorder[], clock: Clock) => {
    const registry = new Registry();
    const ended = jest.spyOn(LoopPasses.of(registry), 'ended');
    const bus = await house.start(consumers, { clock, registry });
    const isOver = () => ended.mock.calls.some(([{ name }]) => name === 'removing expired events');
    await until(isOver, { what: 'the end of the sweep' });
    return bus;
  };

  /** A pool that fails every statement of that name. */
  const failing = (statement: string) =>
    new Proxy(house.pool, {
      get(pool, property) {
        if (property !== 'query') return Reflect.get(pool, property) as unknown;
        return async (query: { name?: string }) => {
          if (query.name === statement) throw new Error('the connection broke');
          return pool.query(query as never);
        };
      },
    });

  const poisoned = () =>
    new Recorder('posts', {
      before: () => {
        throw new Error('poison');
      },
    });

  it('delivers events again that were not acknowledged because of a crash', async () => {
    const held = gate('the handler to be let go');
    const first = new Recorder('posts', { before: () => held.opened });
    const crashed = await house.start([first], { pool: failing('bus-acknowledge'), patienceMs: 1 });
    await crashed.publish([postEvent('a')]);
    held.open();
    await first.received(1);
    await crashed.stop();
    const second = new Recorder('posts');
    const bus = await house.start([second]);
    await second.received(1);
    await drained(bus);
    expect(second.handled).toEqual(['a@1']);
  });

  it('rejects a publication that did not become durable', async () => {
    const held = gate('the handler to be let go');
    onTestEnd(() => held.open());
    const slow = new Recorder('posts', { before: () => held.opened });
    const late = await house.start([slow], { pool: failing('bus-insert'), patienceMs: 1 });
    await expect(late.publish([postEvent('a')])).rejects.toThrow('the connection broke');
    const failed = await house.start([poisoned()], { pool: failing('bus-insert') });
    await expect(failed.publish([postEvent('b')])).rejects.toThrow('the connection broke');
    expect(await failed.pending()).toBe(0);
    expect(await eventCount()).toBe(0);
  });

  it('continues when the state of a failure cannot be stored', async () => {
    let failures = 3;
    const recorder = new Recorder('posts', {
      before: () => {
        if (failures-- > 0) throw new Error('not yet');
      },
    });
    const bus = await house.start([recorder], { pool: failing('bus-attempts'), retry: { firstMs: 1 } });
    await bus.publish([postEvent('a')]);
    await recorder.received(1);
    await drained(bus);
  });

  it('finds deliveries of a dead process by polling', async () => {
    const other = await house.start([]);
    const recorder = new Recorder('posts');
    const bus = await house.start([recorder], { pollMs: 5 });
    await other.publish([postEvent('a')]);
    await recorder.received(1);
    await drained(bus);
    await house.pool.query(`INSERT INTO bus_deliveries SELECT seq, 'posts', 1, now() FROM bus_events`);
    await recorder.received(2);
    expect(recorder.handled).toEqual(['a@1', 'a@1']);
  });

  it('leaves deliveries to the process that holds them', async () => {
    const held = gate('the holder to be let go');
    const holder = new Recorder('posts', { before: () => held.opened });
    const bus = await house.start([holder]);
    const other = new Recorder('posts');
    const witness = new Recorder('witness');
    await house.start([other, witness], { pollMs: 1 });
    await bus.publish([postEvent('a')]);
    // Only a poll of the other process delivers this event, and the same poll checks for `posts`.
    await witness.received(1);
    held.open();
    await holder.received(1);
    await drained(bus);
    expect(other.handled).toEqual([]);
  });

  it('retains events for 7 days, and longer while a delivery or a dead letter needs them', async () => {
    const clock = new ManualClock();
    const quick = new Recorder('quick');
    const stuck = new Recorder('stuck', {
      before: ({ id }) => {
        if (id === 'poison') throw new Error('poison');
      },
    });
    const before = await house.start([quick, stuck], { clock, retry: { attempts: 1 } });
    await before.publish([postEvent('old'), postEvent('poison')]);
    clock.advance(3 * DAY_MS);
    await before.publish([postEvent('young')]);
    await drained(before);
    await before.stop();

    clock.advance(4 * DAY_MS + 1);
    await (await sweptBus([quick, stuck], clock)).stop();
    const { rows } = await house.pool.query<{ key: string }>('SELECT key FROM bus_events ORDER BY seq');
    expect(rows.map(({ key }) => key)).toEqual(['poison', 'young']);
    const fresh = new Recorder('fresh');
    await house.start([quick, stuck, fresh], { clock });
    await fresh.received(2);
  });

  it('retains the event of a dead letter for as long as the dead letter', async () => {
    const clock = new ManualClock();
    const before = await house.start([poisoned()], { clock, retry: { attempts: 1 } });
    await before.publish([postEvent('poison')]);
    await drained(before);
    await before.stop();
    for (const [passed, left] of [
      [30 * DAY_MS, 1],
      [1, 0],
    ] as const) {
      clock.advance(passed);
      await (await sweptBus([], clock)).stop();
      expect(await eventCount()).toBe(left);
    }
  });

  it('says once of a new reaction, and of no projection, how many events it does not answer', async () => {
    const { logger: told, lines } = aLog();
    const before = await house.start([], { logger: told });
    await before.publish([postEvent('a'), postEvent('b')]);
    await republish({ topic: postTopic, states: states(3), bus: before });
    await before.stop();
    const consumers = () => [new Recorder('mail', { reaction: true }), new Recorder('posts')];
    await (await house.start(consumers(), { logger: told })).stop();
    await (await house.start(consumers(), { logger: told })).stop();
    expect(skippedIn(lines)).toEqual([{ group: 'mail', topic: postTopic.name, skipped: 2 }]);
    await house.empty();
    await house.start(consumers(), { logger: told });
    expect(skippedIn(lines)).toHaveLength(1);
  });

  it('removes groups that no process has run for 7 days', async () => {
    const clock = new ManualClock();
    const abandoned = await house.start([new Recorder('abandoned')], { clock });
    await abandoned.stop();
    await abandoned.publish([postEvent('a')]);
    clock.advance(7 * DAY_MS + 1);
    await (await sweptBus([new Recorder('kept')], clock)).stop();
    const { rows } = await house.pool.query<{ grp: string }>('SELECT grp FROM bus_subscriptions');
    expect(rows).toEqual([{ grp: 'kept' }]);
    const left = await house.pool.query(`SELECT FROM bus_deliveries WHERE grp = 'abandoned'`);
    expect(left.rowCount).toBe(0);
  });

  it('removes any number of old rows by limited statements, between which it can be stopped', async () => {
    const clock = new ManualClock();
    const old = new Date(clock.now() - 8 * DAY_MS);
    await house.pool.query(
      `WITH events AS (
         INSERT INTO bus_events (id, topic, key, version, payload, headers, republished, published_at)
         SELECT n, 'topic', n, 1, '', '{}', false, $1 FROM generate_series(1, 7000) AS n RETURNING seq)
       INSERT INTO bus_deliveries (seq, grp, due_at) SELECT seq, 'abandoned', $1 FROM events`,
      [old],
    );
    const removed: [string, number][] = [];
    let stopAfter = 1;
    let stop = new AbortController();
    const pool = {
      async query(statement: QueryConfig & { name: string }) {
        const answer: QueryResult = await house.pool.query(statement);
        if (answer.rows.length > 0) removed.push([statement.name, answer.rows.length]);
        if (removed.length === stopAfter) stop.abort();
        return answer;
      },
    };
    for (; stopAfter <= 3; stopAfter += 2) {
      stop = new AbortController();
      await sweepBus({ pool: pool as unknown as Pool, clock, groups: [], stopping: stop.signal });
    }
    expect(removed).toEqual([
      ['bus-forget-deliveries', 5_000],
      ['bus-forget-deliveries', 2_000],
      ['bus-sweep', 5_000],
    ]);
    expect(await eventCount()).toBe(2_000);
  });

  it('shows no outstanding deliveries while its database is away', async () => {
    const registry = new Registry();
    await house.start([new Recorder('posts')], { pool: failing('bus-pending'), registry });
    const text = await registry.metrics();
    expect(text).toContain('pulso_loop_failures_total{loop="removing expired events"} 0');
    expect(text).not.toContain('pulso_events_pending{');
    expect(await registry.metrics()).toContain(
      'pulso_metric_failures_total{metric="pulso_events_pending"} 1',
    );
  });

  it('removes deliveries of topics that a group no longer consumes', async () => {
    const comments: Consumer<CommentState> = {
      group: 'posts',
      topic: commentTopic,
      handle: async () => undefined,
    };
    const before = new InProcessBus({ pool: house.pool, logger });
    onTestEnd(() => before.stop());
    before.subscribe(new Recorder('posts'));
    before.subscribe(comments);
    await before.start();
    await before.stop();
    await before.publish([
      eventOf(commentTopic, CommentState.fromPartial({ id: 'c', version: 1 })),
      postEvent('a'),
    ]);
    expect(await before.pending()).toBe(2);
    const recorder = new Recorder('posts');
    const after = await house.start([recorder]);
    await recorder.received(1);
    await drained(after);
    expect(recorder.handled).toEqual(['a@1']);
  });

  it('counts failures, dead letters and outstanding deliveries', async () => {
    const registry = new Registry();
    const held = gate('the handler to be let go');
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (id === 'poison') throw new Error('poison');
        return held.opened;
      },
    });
    const bus = await house.start([recorder], { registry, retry: { firstMs: 1, attempts: 2 } });
    const second = new InProcessBus({ pool: house.pool, logger, registry });
    onTestEnd(() => second.stop());
    const begun = await registry.metrics();
    for (const name of ['failed', 'dead_lettered']) {
      expect(begun).toContain(`pulso_events_${name}_total{group="posts",topic="pulso.posts.post.v1"} 0`);
    }
    await bus.publish([postEvent('poison'), postEvent('a')]);
    // The counter changes after the dead letter is committed, so the test waits for the counter.
    const deadLettered = 'pulso_events_dead_lettered_total{group="posts",topic="pulso.posts.post.v1"} 1';
    const counted = async () => {
      const metrics = await registry.metrics();
      return metrics.includes(deadLettered) && metrics;
    };
    const text = await until(counted, { what: 'the counter of dead letters' });
    expect(await bus.deadLetters()).toHaveLength(1);
    expect(text).toContain('pulso_events_failed_total{group="posts",topic="pulso.posts.post.v1"} 2');
    expect(text).toContain('pulso_events_pending{group="posts"} 1');
    held.open();
  });

  it('ends in the newest state of every key, with any order, duplicates and failures', async () => {
    const delivered = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c'),
        version: fc.integer({ min: 1, max: 9 }),
        fails: fc.boolean(),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(delivered, fc.integer({ min: 1, max: 7 }), async (events, batch) => {
        const newest = new Map<string, number>();
        const toFail = new Set(
          events.filter(({ fails }) => fails).map(({ key, version }) => `${key}@${version}`),
        );
        const projection = new Recorder(`projection-${Math.random()}`, {
          before: ({ id, version }) => {
            if (toFail.delete(`${id}@${version}`)) throw new Error('not yet');
            if ((newest.get(id) ?? 0) < version) newest.set(id, version);
          },
        });
        await house.empty();
        const bus = await house.start([projection], { retry: { firstMs: 1 } });
        for (let from = 0; from < events.length; from += batch) {
          await bus.publish(
            events.slice(from, from + batch).map(({ key, version }) => postEvent(key, version)),
          );
        }
        await drained(bus);
        await bus.stop();
        const expected = new Map<string, number>();
        for (const { key, version } of events) expected.set(key, Math.max(version, expected.get(key) ?? 0));
        expect(newest).toEqual(expected);
      }),
      { numRuns: propertyRuns(25), ...PROPERTY_LIMIT },
    );
  });
});
