import { AsyncResource } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { groupBy } from '../../collections/group-by.js';
import type { ConsistencyToken } from '../../context/request-context.js';
import { PollingLoop } from '../../jobs/polling-loop.js';
import { gauge } from '../../telemetry/metrics.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { orAfter } from '../../time/or-after.js';
import { BackgroundWriter } from './background-writer.js';
import { BusStore, type StoredDeadLetter, type StoredDelivery } from './bus-store.js';
import { BusMetrics } from '../bus-metrics.js';
import { KeyedQueue } from '../keyed-queue.js';
import type { Consumer, DeadLetter, EventRecord, OperableBus, Replay } from '../event-bus.js';
import { InProcessDelivery } from './in-process-delivery.js';
import { Flights, PATIENCE_MS } from './flights.js';
import { LateDeliveries } from './late-deliveries.js';
import { ReplayTally } from '../replay-tally.js';
import { republicationOf } from '../republish.js';
import { DEFAULT_RETRY, errorText, type RetryPolicy } from '../retry-policy.js';
import { deliveredElsewhere } from './delivered-elsewhere.js';
import { DeliveryTracker } from './delivery-tracker.js';
import { saySkipped } from '../skipped-history.js';

export interface InProcessBusOptions {
  /** A pool of the bus's own database, prepared by `migrateBus`. */
  pool: Pool;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
  retry?: Partial<RetryPolicy>;
  /** Handlers of one group that may run at once. */
  concurrency?: number;
  /** Milliseconds between polls for deliveries that no process holds. */
  pollMs?: number;
  /** Milliseconds for the handlers of a publication, before what they have not handled is stored. */
  patienceMs?: number;
}

const QUEUE_CAPACITY = 1_000;
const SWEEP_MS = 60 * 60_000;
/** How long `stop` waits for running handlers: the process must end within 5 s. */
const STOP_GRACE_MS = 3_000;

/**
 * The event bus of a single process. Events are passed to the consumers from memory without delay; the outbox has them until
 * all consumers have handled them. A delivery that fails or takes long gets a row in PostgreSQL instead, and so do all events
 * of a republication and those for groups of other processes. After a crash at any point, at worst a handler runs again.
 */
export class InProcessBus implements OperableBus {
  private readonly store: BusStore;
  private readonly retryPolicy: RetryPolicy;
  private readonly consumers = new Map<string, Consumer<unknown>>();
  private readonly queues = new Map<string, KeyedQueue<StoredDelivery>>();
  private readonly delivery: InProcessDelivery;
  private readonly deliveryTracker: DeliveryTracker;
  private readonly acknowledgements: BackgroundWriter<StoredDelivery>;
  private readonly flights: Flights;
  private readonly late = new LateDeliveries();
  private readonly groupsByTopic = new Map<string, string[]>();
  private readonly topicsElsewhere = new Set<string>();
  private readonly polling: PollingLoop;
  private readonly sweeping: PollingLoop;
  private readonly background = new Set<Promise<void>>();
  private readonly refilling = new Set<KeyedQueue<StoredDelivery>>();
  private readonly metrics: BusMetrics;
  private readonly clock: Clock;
  // Handlers must not inherit the context of the request that published the event.
  private readonly outside = new AsyncResource('InProcessBus');
  private state: 'new' | 'running' | 'stopped' = 'new';

  constructor(private readonly options: InProcessBusOptions) {
    const { registry = new Registry(), logger, pollMs = 1_000 } = options;
    this.clock = options.clock ?? systemClock;
    this.store = new BusStore(options.pool, this.clock);
    this.retryPolicy = { ...DEFAULT_RETRY, ...options.retry };
    this.deliveryTracker = new DeliveryTracker((token, groups) => this.store.hasHandled(token, groups));
    this.acknowledgements = new BackgroundWriter<StoredDelivery>({
      write: (deliveries) => this.store.acknowledge(deliveries),
      written: (deliveries) => this.release(deliveries),
      failure: 'acknowledging events failed, will be retried',
      logger,
    });
    this.polling = new PollingLoop({
      name: 'polling for deliveries that no process holds',
      everyMs: pollMs,
      work: () => this.poll(),
      logger,
      level: 'error',
      registry,
    });
    this.sweeping = new PollingLoop({
      name: 'removing expired events',
      everyMs: SWEEP_MS,
      work: (stopping) => this.store.sweep(this.groups, stopping),
      logger,
      level: 'error',
      limitMs: SWEEP_MS,
      registry,
    });
    this.metrics = new BusMetrics(registry);
    this.delivery = new InProcessDelivery({
      ...{ store: this.store, metrics: this.metrics, clock: this.clock, logger, retry: this.retryPolicy },
      consumerOf: (group, topic) => this.consumers.get(consumerName(group, topic)),
      handled: (delivery, consumer) => {
        if (consumer && !consumer.reaction) this.deliveryTracker.handled(consumer.group, delivery.event);
        void this.handled(delivery);
      },
      deadLettered: (delivery) => {
        this.late.remove(delivery);
        this.release([delivery]);
      },
      abandoned: (delivery) => this.release([delivery]),
      again: (delivery) => this.queues.get(delivery.group)!.retry(delivery),
    });
    this.flights = new Flights({
      ...{ store: this.store, logger, patienceMs: options.patienceMs ?? PATIENCE_MS },
      groups: () => this.groups,
      groupsOf: ({ topic }) => this.groupsByTopic.get(topic) ?? [],
      pass: (delivery) => this.outside.runInAsyncScope(() => this.queues.get(delivery.group)!.add(delivery)),
      late: (deliveries) => this.late.add(deliveries),
      elsewhere: ({ topic }) => this.topicsElsewhere.add(topic),
    });
    this.showPending(registry);
  }

  subscribe<T>(consumer: Consumer<T>): void {
    if (this.state !== 'new') throw new Error('Consumers subscribe before the bus starts');
    const name = consumerName(consumer.group, consumer.topic.name);
    if (this.consumers.has(name)) throw new Error(`${consumer.group} consumes ${consumer.topic.name} twice`);
    this.consumers.set(name, consumer);
    this.metrics.consumes(consumer.group, consumer.topic.name);
    if (!consumer.reaction) this.deliveryTracker.addProjection(consumer.topic.name, consumer.group);
    this.groupsByTopic.set(consumer.topic.name, [
      ...(this.groupsByTopic.get(consumer.topic.name) ?? []),
      consumer.group,
    ]);
    if (this.queues.has(consumer.group)) return;
    const { concurrency = 16 } = this.options;
    const run = (delivery: StoredDelivery) => this.delivery.deliver(delivery);
    this.queues.set(
      consumer.group,
      new KeyedQueue(consumer.group, { concurrency, capacity: QUEUE_CAPACITY, run }),
    );
  }

  async start(): Promise<void> {
    if (this.state !== 'new') throw new Error('The bus has been started already');
    const subscriptions = [...this.consumers.values()].map((consumer) => {
      const { group, topic, reaction = false, formerGroups = [] } = consumer;
      return { group, topic: topic.name, reaction, formerGroups };
    });
    if (subscriptions.length > 0) {
      const started = await this.store.register(subscriptions);
      for (const history of started) saySkipped(this.options.logger, history);
    }
    for (const topic of await this.store.topicsElsewhere(this.groups)) this.topicsElsewhere.add(topic);
    this.state = 'running';
    await Promise.all([...this.queues.values()].map((queue) => this.refill(queue)));
    this.polling.start();
    this.sweeping.start();
    this.sweeping.nudge();
  }

  async publish(events: readonly EventRecord[]): Promise<void> {
    const ways = groupBy(events, (event) => this.mayFly(event));
    await Promise.all([
      this.flights.publish(ways.get(true) ?? []),
      this.publishStored(ways.get(false) ?? []),
    ]);
  }

  async stop(): Promise<void> {
    if (this.state === 'stopped') return;
    this.state = 'stopped';
    this.delivery.close();
    this.deliveryTracker.close();
    const ended = Promise.all([
      ...[...this.queues.values()].map((queue) => queue.close()),
      this.polling.stop(),
      this.sweeping.stop(),
      ...this.background,
      this.flights.close(),
    ]);
    await orAfter(STOP_GRACE_MS, ended);
    // What is not acknowledged then is delivered again at the next start.
    await this.acknowledgements.close();
  }

  async partitions(): Promise<number> {
    return 1;
  }

  async pending(): Promise<number> {
    const counts = await this.pendingByGroup();
    await this.flights.written();
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * The topics of which a projection of this bus is new: it has got the retained events, and needs a republication for
   * what is older. A topic stays one of them until `markFilled`.
   */
  unfilledTopics(): Promise<string[]> {
    return this.store.unfilledTopics(this.groups);
  }

  markFilled(topic: string): Promise<void> {
    return this.store.markFilled(this.groups, topic);
  }

  /** On a bus that was not started: whether the projections of the process that runs have handled them. */
  delivered(tokens: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean> {
    return this.state === 'new'
      ? deliveredElsewhere(this.store, tokens, timeoutMs)
      : this.deliveryTracker.wait(tokens, timeoutMs);
  }

  /** Oldest first. Works on a bus that was not started, like `replay` and `discard`. */
  deadLetters(group?: string, eventId?: string): Promise<DeadLetter[]> {
    return this.store.deadLetters(group === undefined ? this.groups : [group], eventId);
  }

  /** Calls the handlers itself; a dead letter stays until its handler has succeeded. */
  async replay(group?: string, eventId?: string): Promise<Replay> {
    const tally = new ReplayTally();
    for (const name of group === undefined ? this.groups : [group]) {
      for (let after: string | undefined = '0'; after !== undefined;) {
        const letters = await this.store.deadLetterEvents(name, eventId, after);
        for (const letter of letters) await this.outside.runInAsyncScope(() => this.replayOne(letter, tally));
        after = letters.at(-1)?.seq;
      }
    }
    return tally.result;
  }

  discard(group: string, eventId: string): Promise<boolean> {
    return this.store.discard(group, eventId);
  }

  /** In this order: a delivery that gets its row meanwhile is counted twice, and not missed. */
  private async pendingByGroup(): Promise<Map<string, number>> {
    const counts = this.flights.counts();
    for (const { group, count } of await this.store.pending(this.groups))
      counts.set(group, (counts.get(group) ?? 0) + count);
    return counts;
  }

  /** Whether an event needs no row unless a handler fails or takes long: all who get it are here and keep up. */
  private mayFly(event: EventRecord): boolean {
    if (this.state !== 'running' || !this.flights.isOpen || this.topicsElsewhere.has(event.topic))
      return false;
    // The end marker of a republication asks the store whether its states have been handled.
    if (republicationOf(event) !== undefined) return false;
    const groups = this.groupsByTopic.get(event.topic) ?? [];
    // What nobody here consumes may be for a process that comes later.
    const keepsUp = (group: string) => !this.late.has(group) && !this.queues.get(group)!.behind;
    return groups.length > 0 && groups.every(keepsUp);
  }

  private async publishStored(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    const numbered = await this.store.numbered(events);
    const deliveries = await this.store.insert(numbered, {
      mine: this.state === 'running' ? this.groups : [],
    });
    this.flights.knows(events);
    if (this.state !== 'running') return;
    const bySeq = new Map(numbered.map(({ seq, event }) => [seq, event]));
    this.outside.runInAsyncScope(() => {
      for (const { seq, group } of deliveries) this.take({ seq, group, attempts: 0, event: bySeq.get(seq)! });
    });
  }

  /** Queues a delivery that has a row; does nothing if it is for a group of another process. */
  private take(delivery: StoredDelivery): void {
    if (this.queues.get(delivery.group)?.add(delivery)) this.late.add([delivery]);
  }

  private async handled(delivery: StoredDelivery): Promise<void> {
    const hasRow = delivery.flight ? await delivery.flight.handled(delivery) : true;
    this.late.remove(delivery);
    if (hasRow) this.acknowledgements.add(delivery);
    else this.release([delivery]);
  }

  private async replayOne(letter: StoredDeadLetter, tally: ReplayTally): Promise<void> {
    const { group, event, attempts, failedAt } = letter;
    const consumer = this.consumers.get(consumerName(group, event.topic));
    let error: string | undefined;
    const isTried = await this.store.redeliver(
      letter,
      async () => (error = await this.tryAgain(letter, consumer)),
    );
    if (!isTried) return;
    const { topic, key } = event;
    tally.add({ group, eventId: event.id, topic, key, attempts, failedAt }, error);
    if (error === undefined && consumer && !consumer.reaction) this.deliveryTracker.handled(group, event);
  }

  /** Resolves to why the handler failed, or undefined if it did not. */
  private async tryAgain(
    { group, event }: StoredDelivery,
    consumer: Consumer<unknown> | undefined,
  ): Promise<string | undefined> {
    try {
      if (!consumer || (await this.delivery.handle(consumer, event))) return undefined;
      return 'not all states of its republication have been handled';
    } catch (error) {
      this.metrics.failed(group, event.topic);
      this.options.logger.warn({ group, event: event.id, err: error }, 'a dead letter failed again');
      return errorText(error);
    }
  }

  private get groups(): string[] {
    return [...this.queues.keys()];
  }

  private release(deliveries: readonly StoredDelivery[]): void {
    const touched = new Set<KeyedQueue<StoredDelivery>>();
    for (const delivery of deliveries) {
      const queue = this.queues.get(delivery.group)!;
      queue.release(delivery);
      touched.add(queue);
    }
    for (const queue of touched)
      if (queue.behind && queue.room >= QUEUE_CAPACITY / 2) void this.refill(queue);
  }

  /** Claims the deliveries that the store has for a queue and the queue does not hold, until none is left or it is full. */
  private async refill(queue: KeyedQueue<StoredDelivery>): Promise<void> {
    queue.behind = true;
    if (this.state !== 'running' || this.refilling.has(queue)) return;
    this.refilling.add(queue);
    await this.inBackground(this.catchUp(queue).finally(() => this.refilling.delete(queue)));
  }

  private async catchUp(queue: KeyedQueue<StoredDelivery>): Promise<void> {
    while (queue.behind && queue.room > 0 && this.state === 'running') {
      // Reset before the query: an overflow while the query runs sets the flag again.
      queue.behind = false;
      const limit = queue.room;
      try {
        const claimed = await this.store.claim({
          groups: [queue.group],
          held: queue.holding,
          all: true,
          limit,
        });
        if (claimed.length === limit) queue.behind = true;
        for (const delivery of claimed) this.outside.runInAsyncScope(() => this.take(delivery));
      } catch (error) {
        queue.behind = true;
        throw error;
      }
    }
  }

  /** The fallback: claims deliveries whose holder has died, and refills queues that are behind. */
  private async poll(): Promise<void> {
    const queues = [...this.queues.values()];
    for (const queue of queues) if (queue.behind && queue.room > 0) void this.refill(queue);
    const groups = queues.filter((queue) => queue.room > 0).map(({ group }) => group);
    const held = queues.flatMap((queue) => queue.holding);
    const claimed = await this.store.claim({ groups, held, all: false, limit: QUEUE_CAPACITY });
    for (const delivery of claimed) this.take(delivery);
  }

  /** Failures are logged; the next poll tries again. */
  private inBackground(work: Promise<void>): Promise<void> {
    const guarded = work
      .catch((error: unknown) =>
        this.options.logger.error({ err: error }, 'reading deliveries failed, will be retried'),
      )
      .finally(() => this.background.delete(guarded));
    this.background.add(guarded);
    return guarded;
  }

  private showPending(registry: Registry): void {
    const counts = () => this.pendingByGroup();
    gauge(registry, {
      name: 'pulso_events_pending',
      help: 'Outstanding deliveries',
      labelNames: ['group'],
      async collect() {
        this.reset();
        for (const [group, count] of await counts()) this.set({ group }, count);
      },
    });
  }
}

const consumerName = (group: string, topic: string) => `${group}\n${topic}`;
