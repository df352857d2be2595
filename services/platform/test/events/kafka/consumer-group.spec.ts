import { jest } from '@jest/globals';
import type { EachBatchPayload, Kafka, KafkaMessage, TopicPartitionOffsetAndMetadata } from 'kafkajs';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { BusMetrics } from '../../../src/events/bus-metrics.js';
import type { EventRecord } from '../../../src/events/event-bus.js';
import { ConsumerGroup, GROUP_LIMITS } from '../../../src/events/kafka/consumer-group.js';
import { toMessage } from '../../../src/events/kafka/kafka-record.js';
import type { RetryPolicy } from '../../../src/events/retry-policy.js';
import { systemClock } from '../../../src/time/clock.js';
import { gate } from '../../../testing/gate.js';
import { onTestEnd } from '../../../testing/on-test-end.js';
import { until } from '../../../testing/until.js';
import { QUICK } from '../bus-fixture.js';
import { postEvent, Recorder } from '../recorder.js';
import { logger } from './logger.js';
import { countReactions, reachableFrom } from './retained.js';

const TOPIC = 'posts';

/** A fake of the part of kafkajs that a group uses: the test joins, rebalances, crashes and delivers batches. */
class FakeKafka {
  readonly committed: TopicPartitionOffsetAndMetadata[] = [];
  runs = 0;
  heartbeats = 0;
  connected = false;
  /** A join of the group waits for this. */
  joinable: Promise<void> = Promise.resolve();
  private listeners = new Map<string, (event: unknown) => void>();
  private eachBatch: (payload: EachBatchPayload) => Promise<void> = () => Promise.resolve();

  consumer(): ReturnType<Kafka['consumer']> {
    const nothing = () => Promise.resolve();
    return {
      subscribe: nothing,
      connect: async () => void (this.connected = true),
      disconnect: async () => void (this.connected = false),
      events: { GROUP_JOIN: 'joined', REBALANCING: 'rebalancing', CRASH: 'crashed' },
      on: (name: string, listener: (event: unknown) => void) => void this.listeners.set(name, listener),
      run: async ({ eachBatch }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }) => {
        this.eachBatch = eachBatch;
        this.runs += 1;
        await this.joinable;
        // Like kafkajs, which connects again when it was disconnected meanwhile.
        this.connected = true;
        this.tell('joined');
      },
      commitOffsets: async (offsets: TopicPartitionOffsetAndMetadata[]) =>
        void this.committed.push(...offsets),
    } as unknown as ReturnType<Kafka['consumer']>;
  }

  tell(event: 'joined' | 'rebalancing' | 'crashed'): void {
    this.listeners.get(event)?.({ payload: { error: new Error('the coordinator is gone') } });
  }

  /** Resolves when the group is done with the batch. */
  async bring(offset: number, events: readonly EventRecord[]): Promise<void> {
    const messages = events.map((event, index): KafkaMessage => {
      return { ...toMessage(event), offset: `${offset + index}`, timestamp: '0' } as KafkaMessage;
    });
    await this.eachBatch({
      batch: {
        ...{ topic: TOPIC, partition: 0, messages },
        ...{ firstOffset: () => `${offset}`, lastOffset: () => `${offset + events.length - 1}` },
      },
      heartbeat: async () => void (this.heartbeats += 1),
      resolveOffset: () => undefined,
    } as unknown as EachBatchPayload);
  }
}

describe('a member of a group', () => {
  let kafka: FakeKafka;
  let group: ConsumerGroup;

  async function start(
    recorder: Recorder,
    { retry = QUICK, joinable }: { retry?: RetryPolicy; joinable?: Promise<void> } = {},
  ): Promise<void> {
    kafka = new FakeKafka();
    if (joinable) kafka.joinable = joinable;
    group = new ConsumerGroup({
      ...{ kafka, group: 'posts', groupId: 'posts', idOf: String, concurrency: 16, retry, logger },
      admin: { failures: async () => new Map(), positions: async () => [] },
      consumers: new Map([[TOPIC, recorder]]),
      deadLetters: { deadLetter: () => Promise.resolve() },
      metrics: new BusMetrics(),
      clock: systemClock,
      limits: GROUP_LIMITS,
    });
    await group.start();
    onTestEnd(() => group.stop());
    await until(() => kafka.runs === 1, { what: 'the first run of the consumer' });
  }

  it('frees the memory of finished batches', async () => {
    await start(new Recorder('posts'));
    const event = postEvent('a');
    const bring = async (from: number, count: number) => {
      for (let offset = from; offset < from + count; offset += 1) await kafka.bring(offset, [event]);
      kafka.committed.length = 0;
    };
    await bring(0, 100);
    const before = reachableFrom(group);
    const reactions = countReactions();
    await bring(100, 200);
    // What a batch leaves behind is there once a batch: an entry, a timer, a listener, a reaction of a pending promise.
    expect(reachableFrom(group) - before).toBeLessThan(100);
    expect(reactions()).toBeLessThan(100);
  });

  it('frees the memory of crashed consumers', async () => {
    const signals = new Set<AbortSignal>();
    const add = jest.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
      this: AbortSignal,
      ...args
    ) {
      signals.add(this);
      EventTarget.prototype.addEventListener.apply(this, args);
    });
    onTestEnd(() => add.mockRestore());
    await start(new Recorder('posts'));
    for (let run = 2; run <= 4; run += 1) {
      kafka.tell('crashed');
      await until(() => kafka.runs >= run, { what: `run ${run} of the consumer` });
    }
    const counts = [...signals].map((signal) => getEventListeners(signal, 'abort').length);
    expect(Math.max(...counts)).toBe(1);
  });

  it('handles the events that replace lost ones when the brokers have lost events', async () => {
    const recorder = new Recorder('posts');
    await start(recorder);
    await kafka.bring(0, [postEvent('a', 1), postEvent('b', 1), postEvent('c', 1)]);
    await kafka.bring(0, [postEvent('d', 1), postEvent('e', 1)]);
    expect(recorder.handled).toEqual(['a@1', 'b@1', 'c@1', 'd@1', 'e@1']);
    expect(kafka.committed.map(({ offset }) => offset)).toEqual(['3', '2']);
    await kafka.bring(2, [postEvent('f', 1)]);
    expect(kafka.committed.at(-1)?.offset).toBe('3');
  });

  it('handles them although an event with the same offset still waits for its retry', async () => {
    let broken = true;
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (broken && id === 'lost') throw new Error('not yet');
      },
    });
    await start(recorder);
    await kafka.bring(0, [postEvent('lost'), postEvent('b')]);
    await kafka.bring(0, [postEvent('new')]);
    expect(recorder.handled).toEqual(['b@1', 'new@1']);
    broken = false;
  });

  it('does not mistake a repeated batch for lost events', async () => {
    const recorder = new Recorder('posts');
    await start(recorder);
    await kafka.bring(0, [postEvent('a', 1)]);
    await kafka.bring(1, [postEvent('a', 2)]);
    await kafka.bring(1, [postEvent('a', 2), postEvent('a', 3)]);
    expect(recorder.handled).toEqual(['a@1', 'a@2', 'a@3']);
  });

  it('reads its partitions after a rebalance only when the running handlers have ended', async () => {
    const held = gate('the first handler to be let go');
    let running = 0;
    let most = 0;
    const recorder = new Recorder('posts', {
      before: async ({ version }) => {
        most = Math.max(most, (running += 1));
        if (version === 1) await held.opened;
        running -= 1;
      },
    });
    await start(recorder);
    const first = kafka.bring(0, [postEvent('a', 1)]);
    await until(() => running === 1, { what: 'a running handler' });
    kafka.tell('rebalancing');
    await first;
    kafka.tell('joined');
    const again = kafka.bring(0, [postEvent('a', 1), postEvent('a', 2)]);
    // A member that did not wait would call the handler after the first heartbeat, long before the second one.
    const before = kafka.heartbeats;
    await until(() => kafka.heartbeats >= before + 2, { what: 'heartbeats of a batch that waits' });
    held.open();
    await again;
    expect([most, recorder.handled]).toEqual([1, ['a@1', 'a@2']]);
    expect(kafka.committed.at(-1)?.offset).toBe('2');
  });

  it('leaves the group when it is stopped while it joins', async () => {
    const joinable = gate('the join to be let go');
    await start(new Recorder('posts'), { joinable: joinable.opened });
    const stopped = group.stop();
    await setImmediate();
    joinable.open();
    await stopped;
    expect(kafka.connected).toBe(false);
  });

  it('starts no retry once a rebalance has begun', async () => {
    const recorder = new Recorder('posts', {
      before: ({ id }) => {
        if (id === 'broken') throw new Error('not yet');
      },
    });
    await start(recorder, { retry: { ...QUICK, attempts: 1_000, handlerMs: 36_000_000 } });
    // The pauses before retries pass when the test says so, an hour each time.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    onTestEnd(() => jest.useRealTimers());
    await kafka.bring(0, [postEvent('broken')]);
    jest.advanceTimersByTime(3_600_000);
    const hasFailedTwice = () => kafka.committed.at(-1)?.metadata === '{"0":2}';
    await until(hasFailedTwice, { what: 'the failed retry, after which the next one is planned' });
    kafka.tell('rebalancing');
    jest.advanceTimersByTime(3_600_000);
    kafka.tell('joined');
    await kafka.bring(1, [postEvent('next')]);
    expect([recorder.attempts, recorder.handled]).toEqual([3, ['next@1']]);
  });
});
