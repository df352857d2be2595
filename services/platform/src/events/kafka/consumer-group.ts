import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { backoffMs } from '../../time/backoff.js';
import { orAfter } from '../../time/or-after.js';
import type { Consumer } from '../event-bus.js';
import { isMarker } from '../invoke-consumer.js';
import { placeName } from './dead-letter-record.js';
import { EventDelivery, type EventDeliveryOptions } from './event-delivery.js';
import { GroupGeneration } from './group-generation.js';
import type { FailuresByPartition, KafkaAdmin } from './kafka-admin.js';
import { CLIENT_RETRY } from './kafka-client.js';
import { fromRecord } from './kafka-record.js';
import { OffsetCommits } from './offset-commits.js';
import type { PartitionProgress } from './partition-progress.js';
import { type StartOffsets, startOffsets } from './start-offsets.js';

export interface ConsumerGroupOptions extends EventDeliveryOptions {
  registry?: Registry;
  kafka: Pick<Kafka, 'consumer'>;
  admin: Pick<KafkaAdmin, 'failures' | 'positions'>;
  /** The group's name on the brokers. */
  groupId: string;
  /** The name on the brokers of any group, such as a former one of this. */
  idOf(group: string): string;
  /** By the topic's name on the brokers. */
  consumers: ReadonlyMap<string, Consumer<unknown>>;
  /** The maximum number of handlers that run at once. */
  concurrency: number;
  limits: GroupLimits;
}

/** In milliseconds. */
export interface GroupLimits {
  /** The brokers notice a dead member after this time; its partitions are not handled until then. */
  session: number;
  /** The least time between two heartbeats. */
  heartbeat: number;
  /**
   * The longest time that a fetch waits at a broker for events; an event ends it at once. A member without events sends its
   * heartbeats between two fetches, learns there that the group rebalances, and leaves the group there when it stops.
   */
  fetch: number;
  /** How long a rebalance waits for the other members. */
  rebalance: number;
  /** How long a stop waits for a join that has begun, and for leaving the group. */
  leave: number;
}

export const GROUP_LIMITS: GroupLimits = {
  session: 10_000,
  heartbeat: 500,
  fetch: 1_000,
  rebalance: 20_000,
  leave: 5_000,
};

/** Before a batch that must not be handled is fetched again. */
const BETWEEN_GENERATIONS_MS = 100;
/** No more events of a partition are read while this many are open; most of those wait for a retry. */
const OPEN_LIMIT = 500;
/** A new connection alone can take about 3 s. */
const RESTART = { firstMs: 200, longestMs: 1_000 };
/** Errors after which kafkajs joins the group again by itself. */
const REJOINING = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

/**
 * This process's member of one consumer group. Events of one key are handled one at a time, several keys at once; while a
 * failed event waits for its retry, other events are handled. An offset is committed when its event and all events before
 * it in the partition are done: handled, or written to the dead letters.
 *
 * When a partition moves to another member, two handlers of one key may overlap: Kafka does not wait for running handlers
 * of the old member, and may consider a slow member dead. After a rebalance has begun this member starts no handlers, and
 * it reads the next generation's partitions only when its running handlers have ended. See docs/scaling.md, Partitions.
 */
export class ConsumerGroup {
  private generation: GroupGeneration;
  private consumer: KafkaConsumer | undefined;
  private supervising: Promise<void> | undefined;
  /** Resolves when the consumer's first join of the group has succeeded or failed. */
  private joining: Promise<unknown> = Promise.resolve();
  private failedStarts = 0;
  private starts: StartOffsets = new Map();
  /** Resolves when no handler of an earlier generation runs. */
  private handlersEnded: Promise<unknown> = Promise.resolve();
  private readonly delivery: EventDelivery;
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
      registry: options.registry,
    });
    this.delivery = new EventDelivery({ ...options, logger: this.logger }, () => this.commits.flush());
  }

  /** Resolves when connected to the brokers. Joins the group in the background, and again after every crash. */
  async start(): Promise<void> {
    this.starts = await startOffsets(this.options);
    const consumer = await this.connect();
    this.supervising = this.supervise(consumer);
  }

  /**
   * Lets running handlers finish, commits their offsets and leaves the group. A join that takes longer than the limit of leaving
   * ends later, in the background.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.endGeneration();
    await this.commits.close();
    // kafkajs does not break off a join. A consumer that is disconnected during it connects again, and keeps its partitions.
    const left = this.joining.then(() => this.disconnect()).then(() => this.supervising);
    await orAfter(this.options.limits.leave, left);
  }

  /** When the oldest event of each topic that has been read and is not done was published. */
  oldest(): Map<string, number> {
    return this.generation.oldest();
  }

  private async connect(): Promise<KafkaConsumer> {
    const { session, rebalance, heartbeat, fetch } = this.options.limits;
    const consumer = this.options.kafka.consumer({
      groupId: this.options.groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: session,
      rebalanceTimeout: rebalance,
      heartbeatInterval: heartbeat,
      maxWaitTimeInMs: fetch,
      // kafkajs restarts after some failures only; `supervise` restarts after every failure.
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
          // `stop` may have run before there was a connection to close.
          await this.disconnect();
          return;
        }
        const error = await this.runUntilCrash(consumer);
        if (error) this.logger.warn({ err: error }, 'the consumer crashed, joining its group again');
      } catch (error) {
        this.logger.warn({ err: error }, 'joining the consumer group failed, will be retried');
      }
      // `stop` waits for running handlers, commits and leaves the group.
      if (signal.aborted) return;
      await this.endGeneration();
      // This consumer can no longer commit, so uncommitted events are delivered again.
      if (!signal.aborted) this.generation = this.newGeneration(Promise.resolve(new Map()));
      await this.disconnect();
      this.failedStarts += 1;
      // A stop of the bus ends the pause.
      await delay(backoffMs(this.failedStarts, RESTART), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves with the error that crashed the consumer, or undefined if it was stopped. */
  private async runUntilCrash(consumer: KafkaConsumer): Promise<Error | undefined> {
    const { signal } = this.stopping;
    let end!: (error?: Error) => void;
    const ended = new Promise<Error | undefined>((resolve) => (end = resolve));
    const stopped = () => end();
    consumer.on(consumer.events.GROUP_JOIN, () => this.joined());
    consumer.on(consumer.events.REBALANCING, () => void this.leavePartitions());
    consumer.on(consumer.events.CRASH, ({ payload }) => end(payload.error));
    signal.addEventListener('abort', stopped);
    try {
      const joining = consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.options.concurrency,
        eachBatch: (payload) => this.takeBatch(payload),
      });
      this.joining = joining.catch(() => undefined);
      await joining;
      return await ended;
    } finally {
      signal.removeEventListener('abort', stopped);
    }
  }

  private joined(): void {
    this.failedStarts = 0;
    // Batches of the new generation wait for this, and send heartbeats while they wait.
    const remembered = this.endGeneration().then(() => this.failuresBefore());
    this.generation = this.newGeneration(remembered);
    if (this.stopping.signal.aborted) void this.endGeneration();
  }

  private async failuresBefore(): Promise<FailuresByPartition> {
    try {
      return await this.options.admin.failures(this.options.groupId, this.topics);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not read retry counts, starting at 0');
      return new Map();
    }
  }

  /**
   * Resolves when the handlers of this and all earlier generations have ended; after a session's time at the latest, because a
   * handler that hangs must not stop the group for ever.
   */
  private async endGeneration(): Promise<void> {
    const ended = Promise.all([this.handlersEnded, this.generation.close()]);
    this.handlersEnded = ended;
    await orAfter(this.options.limits.session, ended);
  }

  /** Commits the offsets of handled events while the brokers still accept commits of this generation. */
  private async leavePartitions(): Promise<void> {
    await this.endGeneration();
    await this.commits.flush();
  }

  private newGeneration(remembered: Promise<FailuresByPartition>): GroupGeneration {
    const { group, concurrency } = this.options;
    return new GroupGeneration(remembered, {
      group,
      concurrency,
      run: (delivery) => this.delivery.deliver(delivery),
    });
  }

  private async takeBatch({ batch, heartbeat, resolveOffset }: EachBatchPayload): Promise<void> {
    const { generation } = this;
    if (generation.isOver) {
      // Batches may still arrive between two generations and during a stop.
      await delay(BETWEEN_GENERATIONS_MS);
      return;
    }
    const everyMs = this.options.limits.heartbeat;
    const beating = (work: Promise<unknown>) => whileBeating(generation.orEnded(work), heartbeat, everyMs);
    try {
      await beating(generation.remembered);
      if (generation.isOver) return;
      const progress = generation.progressOf(batch.topic, batch.partition, Number(batch.firstOffset()));
      await this.handOver(batch, { generation, progress, beating });
      await beating(progress.downTo(OPEN_LIMIT));
      if (generation.isOver) return;
      resolveOffset(batch.lastOffset());
      progress.resolved = Number(batch.lastOffset()) + 1;
      await this.commits.flush();
    } catch (error) {
      if (REJOINING.has((error as { type?: string }).type ?? '')) await this.leavePartitions();
      throw error;
    }
  }

  /**
   * Resolves when every event of the batch has been tried once. A marker is handled after all events before it and before
   * all events after it.
   */
  private async handOver(
    batch: EachBatchPayload['batch'],
    { generation, progress, beating }: Reading,
  ): Promise<void> {
    const { topic: name, partition } = batch;
    const consumer = this.options.consumers.get(name)!;
    const place = `${name}/${partition}`;
    const remembered = (await generation.remembered).get(place);
    const start = this.starts.get(place) ?? 0;
    const turns: Promise<void>[] = [];
    for (const message of batch.messages) {
      const offset = Number(message.offset);
      const event = fromRecord(consumer.topic.name, placeName(name, { partition, offset }), message);
      const marker = isMarker(event);
      if (marker) await beating(progress.downTo(0));
      if (generation.isOver) return;
      const attempts = remembered?.get(offset) ?? 0;
      if (!progress.take(offset, Number(message.timestamp), attempts)) continue;
      if (offset < start || (consumer.reaction && event.republished)) {
        progress.done(offset);
        continue;
      }
      const where = { seq: generation.nextSeq(), partition, offset, progress, generation };
      const delivery = { ...where, event, consumer, attempts, failures: 0 };
      turns.push(new Promise((tried) => generation.queue.add({ ...delivery, tried })));
      if (marker) await beating(progress.downTo(0));
    }
    await beating(Promise.all(turns));
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

/** The state of reading one batch. */
interface Reading {
  generation: GroupGeneration;
  progress: PartitionProgress;
  beating(work: Promise<unknown>): Promise<void>;
}

/** Sends heartbeats while `work`, which never rejects, is running. Rejects if a heartbeat fails. */
async function whileBeating(
  work: Promise<void>,
  heartbeat: () => Promise<void>,
  everyMs: number,
): Promise<void> {
  const ended = new AbortController();
  void work.then(() => ended.abort());
  while (!ended.signal.aborted) {
    await delay(everyMs, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
    await heartbeat();
  }
}
