import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../../time/backoff.js';
import type { Consumer } from '../event-bus.js';
import { isMarker } from '../invoke-consumer.js';
import { placeName } from './dead-letters.js';
import { EventDelivery, type EventDeliveryOptions } from './event-delivery.js';
import { GroupGeneration } from './group-generation.js';
import type { FailuresByPartition, KafkaAdmin } from './kafka-admin.js';
import { CLIENT_RETRY } from './kafka-client.js';
import { fromRecord } from './kafka-record.js';
import { OffsetCommits } from './offset-commits.js';
import type { PartitionProgress } from './partition-progress.js';

export interface ConsumerGroupOptions extends EventDeliveryOptions {
  kafka: Pick<Kafka, 'consumer'>;
  admin: Pick<KafkaAdmin, 'failures'>;
  /** As the brokers call it. */
  groupId: string;
  /** By what the brokers call the topic. */
  consumers: ReadonlyMap<string, Consumer<unknown>>;
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
/** Connecting anew takes up to some 3 s itself. */
const RESTART = { firstMs: 200, longestMs: 1_000 };
/** How long handlers that run are waited for at the end of a generation; one that hangs must not stop the group for ever. */
const HANDLERS_MS = SESSION_TIMEOUT_MS;
/** What kafkajs answers by joining the group anew. */
const REJOINING = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

/**
 * This process's member of one consumer group. Events of a key are handled one after the other, several keys at once;
 * one that fails waits for its retry while others go ahead. An offset is committed when its event and all before it in
 * the partition are dealt with: handled, or written to the dead letters.
 *
 * When a partition moves to another member, two handlers of one key may overlap: Kafka does not wait for handlers that run
 * on the old member, and may take a slow one for dead. After a rebalance has begun this member starts no handlers, and it
 * reads the next generation's partitions only when its running handlers have ended. See docs/scaling.md, Partitions.
 */
export class ConsumerGroup {
  private generation: GroupGeneration;
  private consumer: KafkaConsumer | undefined;
  private supervising: Promise<void> | undefined;
  private failedStarts = 0;
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
    });
    this.delivery = new EventDelivery({ ...options, logger: this.logger }, () => this.commits.flush());
  }

  /** Resolves when the brokers have been reached. Joins the group in the background, and again after every crash. */
  async start(): Promise<void> {
    const consumer = await this.connect();
    this.supervising = this.supervise(consumer);
  }

  /** Lets running handlers finish, commits what they have done and leaves the group. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.endGeneration();
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
          // `stop` may have run before there was a connection to end.
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
      // Uncommitted events come again: this consumer can commit no more.
      if (!signal.aborted) this.generation = this.newGeneration(Promise.resolve(new Map()));
      await this.disconnect();
      this.failedStarts += 1;
      // Ends early when the bus stops.
      await delay(backoffMs(this.failedStarts, RESTART), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Answers why the consumer ended, or nothing when it was stopped. */
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
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: this.options.concurrency,
        eachBatch: (payload) => this.takeBatch(payload),
      });
      return await ended;
    } finally {
      signal.removeEventListener('abort', stopped);
    }
  }

  private joined(): void {
    this.failedStarts = 0;
    // Batches of the new generation wait for this, and send heartbeats meanwhile.
    const remembered = this.endGeneration().then(() => this.failuresBefore());
    this.generation = this.newGeneration(remembered);
    if (this.stopping.signal.aborted) void this.endGeneration();
  }

  private async failuresBefore(): Promise<FailuresByPartition> {
    try {
      return await this.options.admin.failures(this.options.groupId, this.topics);
    } catch (error) {
      this.logger.warn({ err: error }, 'earlier failures of events are not known, counting starts anew');
      return new Map();
    }
  }

  /** Resolves when the handlers of this generation, and of those before, have ended; after HANDLERS_MS at the latest. */
  private async endGeneration(): Promise<void> {
    const ended = Promise.all([this.handlersEnded, this.generation.close()]);
    this.handlersEnded = ended;
    const done = new AbortController();
    await Promise.race([ended, delay(HANDLERS_MS, undefined, { signal: done.signal })]);
    done.abort();
  }

  /** Commits what has been handled while the brokers still take it. */
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
      // Batches may still come between two generations, and during a stop.
      await delay(FETCH_WAIT_MS);
      return;
    }
    const beating = (work: Promise<unknown>) => whileBeating(generation.orEnded(work), heartbeat);
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

  /** Resolves when every event of the batch has been tried once. A marker is handled alone: after all before it, before all after it. */
  private async handOver(
    batch: EachBatchPayload['batch'],
    { generation, progress, beating }: Reading,
  ): Promise<void> {
    const { topic: name, partition } = batch;
    const consumer = this.options.consumers.get(name)!;
    const remembered = (await generation.remembered).get(`${name}/${partition}`);
    const turns: Promise<void>[] = [];
    for (const message of batch.messages) {
      const offset = Number(message.offset);
      const event = fromRecord(consumer.topic.name, placeName(name, { partition, offset }), message);
      const marker = isMarker(event);
      if (marker) await beating(progress.downTo(0));
      if (generation.isOver) return;
      const attempts = remembered?.get(offset) ?? 0;
      if (!progress.take(offset, Number(message.timestamp), attempts)) continue;
      if (consumer.reaction && event.republished) {
        progress.done(offset);
        continue;
      }
      const place = { seq: generation.nextSeq(), partition, offset, progress, generation };
      const delivery = { ...place, event, consumer, attempts, failures: 0 };
      turns.push(new Promise((tried) => generation.lane.add({ ...delivery, tried })));
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

/** What is known while a batch is read. */
interface Reading {
  generation: GroupGeneration;
  progress: PartitionProgress;
  beating(work: Promise<unknown>): Promise<void>;
}

/** Waits for work that never rejects, without the brokers taking this member for dead. Rejects as the heartbeat does. */
async function whileBeating(work: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  void work.then(() => ended.abort());
  while (!ended.signal.aborted) {
    await delay(HEARTBEAT_MS, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
    await heartbeat();
  }
}
