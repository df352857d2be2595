import type { Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { StartError } from '../../process/start-error.js';
import { gauge } from '../../telemetry/metrics.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { BusMetrics } from '../bus-metrics.js';
import type { Consumer, DeadLetter, EventRecord, OperableBus, Replay } from '../event-bus.js';
import { EventsFailed } from '../events-failed.js';
import { invokeConsumer } from '../invoke-consumer.js';
import { ReplayTally } from '../replay-tally.js';
import { DEFAULT_RETRY, errorText, type RetryPolicy } from '../retry-policy.js';
import { ConsumerGroup, GROUP_LIMITS, type GroupLimits } from './consumer-group.js';
import type { EventPlace, KafkaDeadLetter } from './dead-letter-record.js';
import { DeadLetters, type LetterSelection } from './dead-letters.js';
import { KafkaAdmin, type Lag } from './kafka-admin.js';
import { createKafka, reachingKafka } from './kafka-client.js';
import type { KafkaConfig } from './kafka-config.js';
import { KafkaPublisher, MessagesFailed } from './kafka-publisher.js';
import { assertOurs, toMessage } from './kafka-record.js';
import { deadLetterTopic } from './topic-table.js';

export interface KafkaBusOptions {
  config: KafkaConfig;
  logger: Logger;
  registry?: Registry;
  clock?: Clock;
  retry?: Partial<RetryPolicy>;
  /** Topics that must exist in addition to the consumed ones. */
  publishes?: readonly string[];
  /** Handlers of one group that may run at once. */
  concurrency?: number;
  /** Those not given are production's; brokers refuse a session below their own minimum. */
  limits?: Partial<GroupLimits>;
}

/**
 * The event bus between processes, over Kafka. `createTopics` must have created the topics. Delivers at least once; an
 * event that is published twice is delivered twice, unless one process handles both soon after each other.
 */
export class KafkaBus implements OperableBus {
  private readonly kafka: Kafka;
  private readonly admin: KafkaAdmin;
  private readonly publisher: KafkaPublisher;
  /** Separate from `publisher`: problems with dead letters must not delay events. */
  private readonly letterPublisher: KafkaPublisher;
  private readonly letters: DeadLetters;
  private readonly metrics: BusMetrics;
  private readonly clock: Clock;
  private readonly consumers = new Map<string, Map<string, Consumer<unknown>>>();
  private readonly groups = new Map<string, ConsumerGroup>();
  /** A reading of the lag that is under way. */
  private measuring: Promise<Lag[]> | undefined;
  private state: 'new' | 'running' | 'stopped' = 'new';

  /** Throws ConfigError if settings contradict each other. */
  constructor(private readonly options: KafkaBusOptions) {
    const { config, logger, registry = new Registry() } = options;
    this.clock = options.clock ?? systemClock;
    this.kafka = createKafka(config, logger);
    this.admin = new KafkaAdmin(this.kafka, logger);
    this.publisher = new KafkaPublisher(this.kafka, logger);
    this.letterPublisher = new KafkaPublisher(this.kafka, logger);
    this.letters = new DeadLetters({
      kafka: this.kafka,
      publisher: this.letterPublisher,
      prefix: config.KAFKA_PREFIX,
      clock: this.clock,
      logger,
      registry,
    });
    this.metrics = new BusMetrics(registry);
    this.showState(registry);
  }

  async publish(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    const sent = new Map(
      events.map((event) => [{ topic: this.prefixed(event.topic), message: toMessage(event) }, event]),
    );
    try {
      await this.publisher.publish([...sent.keys()]);
    } catch (error) {
      if (!(error instanceof MessagesFailed)) throw error;
      const failures = error.failures.map(({ message, error }) => {
        const { topic, key } = sent.get(message)!;
        return { topic, key, error };
      });
      throw new EventsFailed('publishing events', failures);
    }
  }

  subscribe<T>(consumer: Consumer<T>): void {
    if (this.state !== 'new') throw new Error('Consumers subscribe before the bus starts');
    const { group, topic } = consumer;
    const topics = this.consumers.get(group) ?? new Map<string, Consumer<unknown>>();
    if (topics.has(topic.name)) throw new Error(`${group} consumes ${topic.name} twice`);
    this.consumers.set(group, topics.set(topic.name, consumer));
    this.metrics.consumes(group, topic.name);
  }

  /** Rejects with a StartError when no broker can be used or a topic is missing. */
  async start(): Promise<void> {
    if (this.state !== 'new') throw new Error('The bus has been started already');
    this.state = 'running';
    const { config } = this.options;
    await this.assertTopics();
    for (const [group, topics] of this.consumers) {
      this.groups.set(group, this.consumerGroup(group, topics));
    }
    await reachingKafka(config, () => Promise.all([...this.groups.values()].map((group) => group.start())));
  }

  /** Rejects with a StartError when no broker can be used or a topic that is consumed or published is missing. */
  async assertTopics(): Promise<void> {
    const { config, publishes = [] } = this.options;
    const consumed = [...this.consumers.values()].flatMap((topics) => [...topics.keys()]);
    const needed = new Set([...consumed.flatMap((topic) => [topic, deadLetterTopic(topic)]), ...publishes]);
    const missing = await reachingKafka(config, () =>
      this.admin.missing([...needed].map((topic) => this.prefixed(topic))),
    );
    if (missing.length === 0) return;
    const names = missing.join(', ');
    throw new StartError(
      `KAFKA_BROKERS, KAFKA_PREFIX: these topics are missing there, create them first: ${names}`,
    );
  }

  async stop(): Promise<void> {
    if (this.state === 'stopped') return;
    this.state = 'stopped';
    await Promise.all([...this.groups.values()].map((group) => group.stop()));
    await Promise.all([this.publisher.close(), this.letterPublisher.close()]);
    await this.admin.close();
  }

  partitions(topic: string): Promise<number> {
    return this.admin.partitions(this.prefixed(topic));
  }

  /** Counts the deliveries of all members of this process's groups: the partitions' ends minus the committed offsets. */
  async pending(): Promise<number> {
    const lags = await this.lag();
    return lags.reduce((sum, { count }) => sum + count, 0);
  }

  /** Always true: projections may run in other processes, which this one cannot wait for; see `EventBus.delivered`. */
  delivered(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** Works on a bus that was not started, like `replay` and `discard`. End markers of republications come last. */
  async deadLetters(group?: string, eventId?: string): Promise<(DeadLetter & EventPlace)[]> {
    return this.letters.list(this.lettersOf(group, eventId));
  }

  /**
   * Calls the handlers itself; a dead letter stays until its handler has succeeded. Only when two processes come to the same
   * letter at the same time may both deliver it.
   */
  async replay(group?: string, eventId?: string): Promise<Replay> {
    const tally = new ReplayTally();
    for await (const letter of this.letters.open(this.lettersOf(group, eventId))) {
      tally.add(letter, await this.replayOne(letter));
    }
    return tally.result;
  }

  async discard(group: string, eventId: string): Promise<boolean> {
    for await (const letter of this.letters.open(this.lettersOf(group, eventId))) {
      await this.letters.resolve(letter);
      return true;
    }
    return false;
  }

  /** Resolves to why the handler failed, or undefined if it did not. */
  private async replayOne(letter: KafkaDeadLetter): Promise<string | undefined> {
    const { group, event } = letter;
    const consumer = this.consumers.get(group)!.get(event.topic)!;
    try {
      assertOurs(event);
      const { logger, retry } = this.options;
      await invokeConsumer(consumer, event, { logger, limitMs: retry?.handlerMs });
    } catch (cause) {
      this.metrics.failed(group, event.topic);
      this.options.logger.warn({ group, event: event.id, err: cause }, 'a dead letter failed again');
      const error = errorText(cause);
      await this.letters.failedAgain({ ...letter, error });
      return error;
    }
    await this.letters.resolve(letter);
    return undefined;
  }

  /** The dead letters of these groups under their present and their former names. */
  private lettersOf(group: string | undefined, eventId: string | undefined): LetterSelection {
    const topics = new Set<string>();
    const groups = new Map<string, string>();
    for (const consumer of [...this.consumers.values()].flatMap((consumers) => [...consumers.values()])) {
      if (consumer.group !== (group ?? consumer.group)) continue;
      const topic = consumer.topic.name;
      topics.add(topic);
      for (const name of [consumer.group, ...(consumer.formerGroups ?? [])])
        groups.set(`${topic}\n${name}`, consumer.group);
    }
    return { topics: [...topics], groupOf: (topic, name) => groups.get(`${topic}\n${name}`), eventId };
  }

  private consumerGroup(group: string, topics: ReadonlyMap<string, Consumer<unknown>>): ConsumerGroup {
    const { kafka, admin, letters: deadLetters, metrics, clock } = this;
    const { logger, registry, retry, concurrency = 16, limits } = this.options;
    return new ConsumerGroup({
      kafka,
      admin,
      group,
      groupId: this.prefixed(group),
      idOf: (name) => this.prefixed(name),
      consumers: new Map([...topics].map(([topic, consumer]) => [this.prefixed(topic), consumer])),
      deadLetters,
      metrics,
      clock,
      logger,
      registry,
      retry: { ...DEFAULT_RETRY, ...retry },
      concurrency,
      limits: { ...GROUP_LIMITS, ...limits },
    });
  }

  private async lag(): Promise<Lag[]> {
    const groups = [...this.consumers].map(([group, topics]) => {
      return { group: this.prefixed(group), topics: [...topics.keys()].map((topic) => this.prefixed(topic)) };
    });
    const lags = await this.admin.lag(groups);
    return lags.map(({ group, topic, count }) => {
      return { group: this.unprefixed(group), topic: this.unprefixed(topic), count };
    });
  }

  /** Readers that come while the brokers are asked share the answer: brokers that are away get no queue of questions. */
  private measured(): Promise<Lag[]> {
    this.measuring ??= this.lag().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  private showState(registry: Registry): void {
    // Asked for when it is read, so that a process whose metrics nobody reads asks nothing.
    const lags = () => (this.state === 'running' ? this.measured() : []);
    gauge(registry, {
      name: 'pulso_events_pending',
      help: 'Outstanding deliveries of all members of the group together',
      labelNames: ['group', 'topic'],
      async collect() {
        const read = await lags();
        this.reset();
        for (const { group, topic, count } of read) this.set({ group, topic }, count);
      },
    });
    const oldest = () => this.oldestAges();
    gauge(registry, {
      name: 'pulso_events_oldest_seconds',
      help: 'Age of the oldest event that this process has read and not finished',
      labelNames: ['group', 'topic'],
      collect() {
        this.reset();
        for (const { group, topic, seconds } of oldest()) this.set({ group, topic }, seconds);
      },
    });
  }

  private oldestAges(): { group: string; topic: string; seconds: number }[] {
    return [...this.groups].flatMap(([group, member]) =>
      [...member.oldest()].map(([name, at]) => {
        return { group, topic: this.unprefixed(name), seconds: Math.max(0, this.clock.now() - at) / 1000 };
      }),
    );
  }

  private prefixed(name: string): string {
    return this.options.config.KAFKA_PREFIX + name;
  }

  private unprefixed(name: string): string {
    return name.slice(this.options.config.KAFKA_PREFIX.length);
  }
}
