import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import type { Clock } from '../../time/clock.js';
import type { BusMetrics } from '../bus-metrics.js';
import type { Consumer } from '../event-bus.js';
import { invokeConsumer, isMarker } from '../invoke-consumer.js';
import { errorText, isTransient, type RetryPolicy } from '../retry-policy.js';
import { type DeadLetters, placeName } from './dead-letters.js';
import { GroupGeneration, type KafkaDelivery } from './group-generation.js';
import type { FailuresByPartition, KafkaAdmin } from './kafka-admin.js';
import { CLIENT_RETRY } from './kafka-client.js';
import { assertOurs, fromRecord } from './kafka-record.js';
import { OffsetCommits } from './offset-commits.js';

export interface ConsumerGroupOptions {
  kafka: Kafka;
  admin: KafkaAdmin;
  /** As the handlers' metrics and dead letters call it. */
  group: string;
  /** As the brokers call it. */
  groupId: string;
  /** By what the brokers call the topic. */
  consumers: ReadonlyMap<string, Consumer<unknown>>;
  deadLetters: DeadLetters;
  metrics: BusMetrics;
  clock: Clock;
  logger: Logger;
  retry: RetryPolicy;
  /** Handlers that may run at once. */
  concurrency: number;
}

/** A member that died is noticed after this; its partitions stand still until then. */
const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 500;
const REBALANCE_TIMEOUT_MS = 20_000;
/** The longest a fetch waits for events; commits and heartbeats queue behind it on the same connection. */
const FETCH_WAIT_MS = 100;
/** Events of a partition that may be open, most of them waiting for a retry, before no more are read from it. */
const OPEN_LIMIT = 500;
/** Ids whose repetition is noticed: a relay that repeats itself does so within seconds. */
const REMEMBERED_IDS = 10_000;
/** Connecting anew takes up to some 3 s itself. */
const RESTART = { firstMs: 200, longestMs: 1_000 };
const STOP_GRACE_MS = 10_000;
/** What kafkajs answers by joining the group anew. */
const REJOINING = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

/**
 * This process's member of one consumer group. Events of a key are handled one after the other, several keys at once;
 * one that fails waits for its retry while others go ahead. An offset is committed when its event and all before it in
 * the partition are dealt with: handled, or written to the dead letters.
 */
export class ConsumerGroup {
  private generation: GroupGeneration;
  private consumer: KafkaConsumer | undefined;
  private supervising: Promise<void> | undefined;
  private failedStarts = 0;
  private readonly handledIds = new LRUCache<string, true>({ max: REMEMBERED_IDS });
  private readonly commits: OffsetCommits;
  private readonly stopping = new AbortController();
  private readonly logger: Logger;

  constructor(private readonly options: ConsumerGroupOptions) {
    this.logger = options.logger.child({ group: options.group });
    this.generation = this.newGeneration(Promise.resolve(new Map()));
    this.commits = new OffsetCommits({
      uncommitted: () => this.generation.uncommitted(),
      commit: async (offsets) => this.consumer?.commitOffsets(offsets),
      logger: this.logger,
    });
  }

  /** Resolves when the brokers have been reached; joins the group, and joins again after every crash, in the background. */
  async start(): Promise<void> {
    const consumer = await this.connect();
    this.supervising = this.supervise(consumer);
  }

  /** Lets running handlers finish, commits what they have done and leaves the group. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const graceOver = new AbortController();
    await Promise.race([
      this.generation.close(),
      delay(STOP_GRACE_MS, undefined, { signal: graceOver.signal }),
    ]);
    graceOver.abort();
    await this.commits.close();
    await this.disconnect();
    await this.supervising;
  }

  /** When the oldest event of each topic that has been read and not dealt with was published. */
  oldest(): Map<string, number> {
    return this.generation.oldest();
  }

  private async connect(): Promise<KafkaConsumer> {
    const consumer = this.options.kafka.consumer({
      groupId: this.options.groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: SESSION_TIMEOUT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      // kafkajs restarts after some failures only; `supervise` does after all.
      retry: { ...CLIENT_RETRY, restartOnFailure: () => Promise.resolve(false) },
    });
    this.consumer = consumer;
    await consumer.connect();
    await consumer.subscribe({ topics: this.topics, fromBeginning: true });
    return consumer;
  }

  private async supervise(first: KafkaConsumer): Promise<void> {
    const { signal } = this.stopping;
    for (let consumer: KafkaConsumer | undefined = first; !signal.aborted; consumer = undefined) {
      try {
        consumer ??= await this.connect();
        if (signal.aborted) {
          // The stop may have come by before there was a connection to end.
          await this.disconnect();
          return;
        }
        const error = await this.runUntilCrash(consumer);
        if (error) this.logger.warn({ err: error }, 'the consumer group was lost and is joined again');
      } catch (error) {
        this.logger.warn({ err: error }, 'the consumer group could not be joined, will be retried');
      }
      // The stop finishes what runs, for as long as it may take, commits it and leaves the group.
      if (signal.aborted) return;
      await this.generation.close();
      // What was not committed comes again; there is nothing left to commit it by.
      if (!signal.aborted) this.generation = this.newGeneration(Promise.resolve(new Map()));
      await this.disconnect();
      this.failedStarts += 1;
      // Ends early when the bus stops.
      await delay(backoffMs(this.failedStarts, RESTART), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Answers why the consumer ended, or nothing when it was stopped. */
  private async runUntilCrash(consumer: KafkaConsumer): Promise<Error | undefined> {
    consumer.on(consumer.events.GROUP_JOIN, () => this.joined());
    const crashed = new Promise<Error>((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
    });
    const stopped = new Promise<undefined>((resolve) => {
      this.stopping.signal.addEventListener('abort', () => resolve(undefined));
    });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.options.concurrency,
      eachBatch: (payload) => this.takeBatch(payload),
    });
    return Promise.race([crashed, stopped]);
  }

  private joined(): void {
    this.failedStarts = 0;
    void this.generation.close();
    const { admin, groupId } = this.options;
    const remembered = admin.failures(groupId, this.topics).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'earlier failures are not known, counting starts anew');
      return new Map();
    });
    this.generation = this.newGeneration(remembered);
    if (this.stopping.signal.aborted) void this.generation.close();
  }

  private newGeneration(remembered: Promise<FailuresByPartition>): GroupGeneration {
    const { group, concurrency } = this.options;
    return new GroupGeneration(remembered, { group, concurrency, run: (delivery) => this.deliver(delivery) });
  }

  private async takeBatch({ batch, heartbeat, resolveOffset }: EachBatchPayload): Promise<void> {
    const { generation } = this;
    if (generation.isOver) {
      // Between the end of a generation and its successor, or the stop, batches may still come.
      await delay(FETCH_WAIT_MS);
      return;
    }
    const beating = (work: Promise<unknown>) =>
      whileBeating(Promise.race([work, generation.ended]), heartbeat);
    try {
      await beating(generation.remembered);
      const progress = generation.progressOf(batch.topic, batch.partition);
      await this.handOver(batch, generation, beating);
      await beating(progress.downTo(OPEN_LIMIT));
      if (generation.isOver) return;
      resolveOffset(batch.lastOffset());
      await this.commits.flush();
    } catch (error) {
      if (REJOINING.has((error as { type?: string }).type ?? '')) {
        await generation.close();
        await this.commits.flush();
      }
      throw error;
    }
  }

  /** Resolves when every event of the batch has been tried once. A marker waits for all before it, and all wait for it. */
  private async handOver(
    batch: EachBatchPayload['batch'],
    generation: GroupGeneration,
    beating: (work: Promise<unknown>) => Promise<void>,
  ): Promise<void> {
    const { topic: name, partition } = batch;
    const consumer = this.options.consumers.get(name)!;
    const progress = generation.progressOf(name, partition);
    const remembered = (await generation.remembered).get(`${name}/${partition}`);
    const turns: Promise<void>[] = [];
    for (const message of batch.messages) {
      const offset = Number(message.offset);
      const seq = placeName(name, { partition, offset });
      const event = fromRecord(consumer.topic.name, seq, message);
      const marker = isMarker(event);
      if (marker) await beating(progress.downTo(0));
      if (generation.isOver) return;
      const attempts = remembered?.get(offset) ?? 0;
      if (!progress.take(offset, Number(message.timestamp), attempts)) continue;
      if (consumer.reaction && event.republished) {
        progress.done(offset);
        continue;
      }
      const delivery = {
        seq,
        event,
        partition,
        offset,
        progress,
        generation,
        consumer,
        attempts,
        failures: 0,
      };
      turns.push(new Promise((tried) => generation.lane.add({ ...delivery, tried })));
      if (marker) await beating(progress.downTo(0));
    }
    await beating(Promise.all(turns));
  }

  /** One attempt; never rejects. */
  private async deliver(delivery: KafkaDelivery): Promise<void> {
    const { event, consumer } = delivery;
    try {
      if (!this.handledIds.has(event.id)) {
        assertOurs(event);
        await invokeConsumer(consumer, event);
        this.handledIds.set(event.id, true);
        this.options.metrics.handled(this.options.group, event, this.options.clock.now());
      }
      this.dealtWith(delivery);
    } catch (error) {
      await this.failed(delivery, error);
    }
    delivery.tried();
  }

  private dealtWith(delivery: KafkaDelivery): void {
    delivery.generation.lane.release(delivery);
    delivery.progress.done(delivery.offset);
    // Its batch has gone by.
    if (delivery.failures > 0) void this.commits.flush();
  }

  private async failed(delivery: KafkaDelivery, cause: unknown): Promise<void> {
    const { event, generation, progress, offset } = delivery;
    const { group, metrics, retry } = this.options;
    const about = { topic: event.topic, event: event.id };
    metrics.failed(group, event.topic);
    delivery.failures += 1;
    if (isTransient(cause, delivery.failures)) {
      this.logger.warn({ ...about, err: cause }, 'handling an event failed for now');
    } else {
      delivery.attempts += 1;
      progress.noteFailures(offset, delivery.attempts);
      this.logger.warn({ ...about, err: cause, attempts: delivery.attempts }, 'handling an event failed');
      if (delivery.attempts >= retry.attempts && (await this.bury(delivery, cause)))
        return this.dealtWith(delivery);
      void this.commits.flush();
    }
    generation.after(backoffMs(delivery.failures, retry), () => generation.lane.retry(delivery));
  }

  /** Whether the event is a dead letter now; while it is not, its offset is not committed and it is tried again. */
  private async bury(
    { event, partition, offset, attempts }: KafkaDelivery,
    cause: unknown,
  ): Promise<boolean> {
    const { group, deadLetters, metrics, clock } = this.options;
    const about = { topic: event.topic, event: event.id };
    try {
      const failedAt = new Date(clock.now());
      await deadLetters.bury({
        group,
        partition,
        offset,
        attempts,
        error: errorText(cause),
        failedAt,
        event,
      });
    } catch (error) {
      this.logger.error({ ...about, err: error }, 'a dead letter could not be written');
      return false;
    }
    metrics.deadLettered(group, event.topic);
    this.logger.error({ ...about, err: cause }, 'an event became a dead letter');
    return true;
  }

  private async disconnect(): Promise<void> {
    try {
      await this.consumer?.disconnect();
    } catch (error) {
      this.logger.debug({ err: error }, 'a consumer could not be disconnected');
    }
  }

  private get topics(): string[] {
    return [...this.options.consumers.keys()];
  }
}

/** Waits without the brokers taking this member for dead. Rejects as the heartbeat does. */
async function whileBeating(work: Promise<unknown>, heartbeat: () => Promise<void>): Promise<void> {
  let ended = false;
  const end = work.then(() => (ended = true));
  while (!ended) {
    await Promise.race([end, delay(HEARTBEAT_MS, undefined, { ref: false })]);
    await heartbeat();
  }
}
