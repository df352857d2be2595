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
import { DeadLetterReplay } from './dead-letter-replay.js';
import { DeadLetterStore } from './dead-letter-store.js';
import { BusMetrics } from '../bus-metrics.js';
import type { Consumer, DeadLetter, EventRecord, OperableBus, Replay } from '../event-bus.js';
import { InProcessDelivery } from './in-process-delivery.js';
import { Flights, PATIENCE_MS } from './flights.js';
import { GroupQueues } from './group-queues.js';
import { LateDeliveries } from './late-deliveries.js';
import { republicationOf } from '../republish.js';
import { DEFAULT_RETRY, type RetryPolicy } from '../retry-policy.js';
import { deliveredElsewhere } from './delivered-elsewhere.js';
import { DeliveryStore } from './delivery-store.js';
import { DeliveryTracker } from './delivery-tracker.js';
import { saySkipped } from '../skipped-history.js';
import type { StoredDelivery } from './stored-delivery.js';
import { SubscriptionStore } from './subscription-store.js';
import { sweepBus } from './sweep-bus.js';

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

const SWEEP_MS = 60 * 60_000;
/** How long `stop` waits for running handlers: the process must end within 5 s. */
const STOP_GRACE_MS = 3_000;

/**
 * The event bus of a single process. Events are passed to the consumers from memory without delay; the outbox has them until
 * all consumers have handled them. A delivery that fails or takes long gets a row in PostgreSQL instead, and so do all events
 * of a republication and those for groups of other processes. After a crash at any point, at worst a handler runs again.
 */
export class InProcessBus implements OperableBus {
  private readonly store: DeliveryStore;
  private readonly subscriptions: SubscriptionStore;
  private readonly letters: DeadLetterStore;
  private readonly consumers = new Map<string, Consumer<unknown>>();
  private readonly queues: GroupQueues;
  private readonly delivery: InProcessDelivery;
  private readonly replaying: DeadLetterReplay;
  private readonly deliveryTracker: DeliveryTracker;
  private readonly acknowledgements: BackgroundWriter<StoredDelivery>;
  private readonly flights: Flights;
  private readonly late = new LateDeliveries();
  private readonly groupsByTopic = new Map<string, string[]>();
  private readonly topicsElsewhere = new Set<string>();
  private readonly polling: PollingLoop;
  private readonly sweeping: PollingLoop;
  private readonly metrics: BusMetrics;
  private state: 'new' | 'running' | 'stopped' = 'new';

  constructor(private readonly options: InProcessBusOptions) {
    const { pool, registry = new Registry(), logger, pollMs = 1_000, concurrency = 16 } = options;
    const clock = options.clock ?? systemClock;
    this.store = new DeliveryStore(pool, clock);
    this.subscriptions = new SubscriptionStore(pool, clock);
    this.letters = new DeadLetterStore(pool);
    this.deliveryTracker = new DeliveryTracker((token, groups) => this.store.hasHandled(token, groups));
    this.acknowledgements = new BackgroundWriter<StoredDelivery>({
      write: (deliveries) => this.store.acknowledge(deliveries),
      written: (deliveries) => this.queues.release(deliveries),
      failure: 'acknowledging events failed, will be retried',
      logger,
    });
    this.polling = new PollingLoop({
      name: 'polling for deliveries that no process holds',
      everyMs: pollMs,
      work: () => this.queues.poll(),
      logger,
      level: 'error',
      registry,
    });
    this.sweeping = new PollingLoop({
      name: 'removing expired events',
      everyMs: SWEEP_MS,
      work: (stopping) => sweepBus({ pool, clock, groups: this.queues.groups, stopping }),
      logger,
      level: 'error',
      limitMs: SWEEP_MS,
      registry,
    });
    this.metrics = new BusMetrics(registry);
    this.queues = new GroupQueues({
      ...{ store: this.store, late: this.late, logger, concurrency },
      run: (delivery) => this.delivery.deliver(delivery),
    });
    const consumerOf = (group: string, topic: string) => this.consumers.get(consumerName(group, topic));
    const retry = { ...DEFAULT_RETRY, ...options.retry };
    this.delivery = new InProcessDelivery({
      ...{ store: this.store, metrics: this.metrics, clock, logger, retry, consumerOf },
      handled: (delivery, consumer) => {
        this.track(delivery, consumer);
        void this.handled(delivery);
      },
      deadLettered: (delivery) => {
        this.late.remove(delivery);
        this.queues.release([delivery]);
      },
      abandoned: (delivery) => this.queues.release([delivery]),
      again: (delivery) => this.queues.retry(delivery),
    });
    this.replaying = new DeadLetterReplay({
      ...{ store: this.letters, metrics: this.metrics, logger, consumerOf },
      handle: (consumer, event) => this.delivery.handle(consumer, event),
      handled: (letter, consumer) => this.track(letter, consumer),
    });
    this.flights = new Flights({
      ...{ store: this.store, logger, patienceMs: options.patienceMs ?? PATIENCE_MS },
      groups: () => this.queues.groups,
      groupsOf: ({ topic }) => this.groupsByTopic.get(topic) ?? [],
      pass: (delivery) => this.queues.pass(delivery),
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
    this.queues.add(consumer.group);
  }

  async start(): Promise<void> {
    if (this.state !== 'new') throw new Error('The bus has been started already');
    const subscriptions = [...this.consumers.values()].map((consumer) => {
      const { group, topic, reaction = false, formerGroups = [] } = consumer;
      return { group, topic: topic.name, reaction, formerGroups };
    });
    if (subscriptions.length > 0) {
      const started = await this.subscriptions.register(subscriptions);
      for (const history of started) saySkipped(this.options.logger, history);
    }
    const elsewhere = await this.subscriptions.elsewhere(this.queues.groups);
    for (const topic of elsewhere) this.topicsElsewhere.add(topic);
    this.state = 'running';
    await this.queues.open();
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
    const loops = [this.polling.stop(), this.sweeping.stop()];
    await orAfter(STOP_GRACE_MS, Promise.all([this.queues.close(), ...loops, this.flights.close()]));
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
    return this.subscriptions.unfilledTopics(this.queues.groups);
  }

  markFilled(topic: string): Promise<void> {
    return this.subscriptions.markFilled(this.queues.groups, topic);
  }

  /** On a bus that was not started: whether the projections of the process that runs have handled them. */
  delivered(tokens: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean> {
    return this.state === 'new'
      ? deliveredElsewhere(this.store, this.subscriptions, tokens, timeoutMs)
      : this.deliveryTracker.wait(tokens, timeoutMs);
  }

  /** Oldest first. Works on a bus that was not started, like `replay` and `discard`. */
  deadLetters(group?: string, eventId?: string): Promise<DeadLetter[]> {
    return this.letters.list(this.groupsOr(group), eventId);
  }

  /** Calls the handlers itself; a dead letter stays until its handler has succeeded. */
  replay(group?: string, eventId?: string): Promise<Replay> {
    return this.replaying.run(this.groupsOr(group), eventId);
  }

  discard(group: string, eventId: string): Promise<boolean> {
    return this.letters.discard(group, eventId);
  }

  /** In this order: a delivery that gets its row meanwhile is counted twice, and not missed. */
  private async pendingByGroup(): Promise<Map<string, number>> {
    const counts = this.flights.counts();
    for (const { group, count } of await this.store.pending(this.queues.groups))
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
    return groups.length > 0 && groups.every((group) => this.queues.keepsUp(group));
  }

  private async publishStored(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    const numbered = await this.store.numbered(events);
    const deliveries = await this.store.insert(numbered, {
      mine: this.state === 'running' ? this.queues.groups : [],
    });
    this.flights.knows(events);
    if (this.state !== 'running') return;
    const bySeq = new Map(numbered.map(({ seq, event }) => [seq, event]));
    this.queues.take(
      deliveries.map(({ seq, group }) => ({ seq, group, attempts: 0, event: bySeq.get(seq)! })),
    );
  }

  /** Wakes the writes that wait for a projection. */
  private track({ group, event }: StoredDelivery, consumer: Consumer<unknown> | undefined): void {
    if (consumer && !consumer.reaction) this.deliveryTracker.handled(group, event);
  }

  private async handled(delivery: StoredDelivery): Promise<void> {
    const hasRow = delivery.flight ? await delivery.flight.handled(delivery) : true;
    this.late.remove(delivery);
    if (hasRow) this.acknowledgements.add(delivery);
    else this.queues.release([delivery]);
  }

  private groupsOr(group: string | undefined): string[] {
    return group === undefined ? this.queues.groups : [group];
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
