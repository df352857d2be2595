import { AsyncResource } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { ConsistencyToken } from '../context/request-context.js';
import { PollingLoop } from '../jobs/polling-loop.js';
import { gauge } from '../telemetry/metrics.js';
import { type Clock, systemClock } from '../time/clock.js';
import { Acknowledgements } from './acknowledgements.js';
import { BusStore, type StoredDelivery } from './bus-store.js';
import { BusMetrics } from './bus-metrics.js';
import { KeyedQueue } from './keyed-queue.js';
import type { Consumer, DeadLetter, EventRecord, OperableBus } from './event-bus.js';
import { InProcessDelivery } from './in-process-delivery.js';
import { DEFAULT_RETRY, type RetryPolicy } from './retry-policy.js';
import { DeliveryTracker } from './delivery-tracker.js';

export interface InProcessBusOptions {
  /** Of the bus's own database, prepared by `migrateBus`. */
  pool: Pool;
  clock?: Clock;
  logger: Logger;
  registry?: Registry;
  retry?: Partial<RetryPolicy>;
  /** Handlers of one group that may run at once. */
  concurrency?: number;
  /** Milliseconds between looks for deliveries that no process holds. */
  pollMs?: number;
}

const LANE_CAPACITY = 1_000;
const SWEEP_MS = 60 * 60_000;
/** How long `stop` waits for handlers that run: the process must end within 5 s. */
const STOP_GRACE_MS = 3_000;

/**
 * The event bus of a single process. Events are stored in PostgreSQL, then handed to the consumers from memory without
 * delay. The state of each (event, group) is stored too: after a crash at any point a handler runs again at worst.
 */
export class InProcessBus implements OperableBus {
  private readonly store: BusStore;
  private readonly retryPolicy: RetryPolicy;
  private readonly consumers = new Map<string, Consumer<unknown>>();
  private readonly lanes = new Map<string, KeyedQueue<StoredDelivery>>();
  private readonly delivery: InProcessDelivery;
  private readonly deliveryTracker: DeliveryTracker;
  private readonly acknowledgements: Acknowledgements;
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
    this.deliveryTracker = new DeliveryTracker((mark, groups) => this.store.hasHandled(mark, groups));
    this.acknowledgements = new Acknowledgements({
      write: (deliveries) => this.store.acknowledge(deliveries),
      written: (deliveries) => this.release(deliveries),
      logger,
    });
    this.polling = new PollingLoop({
      name: 'looking for deliveries that no process holds',
      everyMs: pollMs,
      work: () => this.poll(),
      logger,
      level: 'error',
    });
    this.sweeping = new PollingLoop({
      name: 'ending the retention of old events',
      everyMs: SWEEP_MS,
      work: () => this.store.sweep(this.groups),
      logger,
      level: 'error',
    });
    this.metrics = new BusMetrics(registry);
    this.delivery = new InProcessDelivery({
      ...{ store: this.store, metrics: this.metrics, clock: this.clock, logger, retry: this.retryPolicy },
      consumerOf: (group, topic) => this.consumers.get(consumerName(group, topic)),
      handled: (delivery, consumer) => {
        if (consumer && !consumer.reaction) this.deliveryTracker.handled(consumer.group, delivery.event);
        this.acknowledgements.add(delivery);
      },
      buried: (delivery) => {
        // A replay that came before this release has skipped the delivery, as the lane still held it.
        this.lanes.get(delivery.group)!.behind = true;
        this.release([delivery]);
      },
      again: (delivery) => this.lanes.get(delivery.group)!.retry(delivery),
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
    if (this.lanes.has(consumer.group)) return;
    const { concurrency = 16 } = this.options;
    const run = (delivery: StoredDelivery) => this.delivery.deliver(delivery);
    this.lanes.set(
      consumer.group,
      new KeyedQueue(consumer.group, { concurrency, capacity: LANE_CAPACITY, run }),
    );
  }

  async start(): Promise<void> {
    if (this.state !== 'new') throw new Error('The bus has been started already');
    const subscriptions = [...this.consumers.values()].map(({ group, topic, reaction = false }) => {
      return { group, topic: topic.name, reaction };
    });
    if (subscriptions.length > 0) await this.store.register(subscriptions);
    this.state = 'running';
    await Promise.all([...this.lanes.values()].map((lane) => this.refill(lane)));
    this.polling.start();
    this.sweeping.start();
    this.sweeping.nudge();
  }

  async publish(events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0) return;
    const deliveries = await this.store.insert(events, this.state === 'running' ? this.groups : []);
    if (this.state !== 'running') return;
    const byId = new Map(events.map((event) => [event.id, event]));
    this.outside.runInAsyncScope(() => {
      for (const { seq, group, id } of deliveries) {
        this.lanes.get(group)?.add({ seq, group, attempts: 0, event: byId.get(id)! });
      }
    });
  }

  async stop(): Promise<void> {
    if (this.state === 'stopped') return;
    this.state = 'stopped';
    this.delivery.close();
    this.deliveryTracker.close();
    let grace: NodeJS.Timeout | undefined;
    const graceOver = new Promise((resolve) => (grace = setTimeout(resolve, STOP_GRACE_MS)));
    const ended = Promise.all([
      ...[...this.lanes.values()].map((lane) => lane.close()),
      this.polling.stop(),
      this.sweeping.stop(),
      ...this.background,
    ]);
    await Promise.race([ended, graceOver]);
    clearTimeout(grace);
    // Ends replays that wait for deliveries which are not started any more.
    for (const lane of this.lanes.values()) for (const { tried } of lane.holding) tried?.();
    await this.acknowledgements.close();
  }

  async partitions(): Promise<number> {
    return 1;
  }

  async pending(): Promise<number> {
    const counts = await this.store.pending(this.groups);
    return counts.reduce((sum, { count }) => sum + count, 0);
  }

  delivered(marks: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean> {
    return this.deliveryTracker.wait(marks, timeoutMs);
  }

  /** At most 1,000, oldest first. */
  deadLetters(group?: string): Promise<DeadLetter[]> {
    return this.store.deadLetters(group === undefined ? this.groups : [group]);
  }

  async replay(group: string, eventId?: string): Promise<number> {
    // The next failure makes it a dead letter again, unless it is a transient one.
    const deliveries = await this.store.redrive(group, eventId, this.retryPolicy.attempts - 1);
    const lane = this.lanes.get(group);
    if (!lane || this.state !== 'running') return deliveries.length;
    const tried = deliveries.map(
      (delivery) =>
        new Promise<void>((resolve) => {
          const added = this.outside.runInAsyncScope(() => lane.add({ ...delivery, tried: resolve }));
          // The lane holds it already or is full: the lane's next refill delivers it.
          if (!added) resolve();
        }),
    );
    await Promise.all(tried);
    return deliveries.length;
  }

  discard(group: string, eventId: string): Promise<boolean> {
    return this.store.discard(group, eventId);
  }

  private get groups(): string[] {
    return [...this.lanes.keys()];
  }

  private release(deliveries: readonly StoredDelivery[]): void {
    const touched = new Set<KeyedQueue<StoredDelivery>>();
    for (const delivery of deliveries) {
      const lane = this.lanes.get(delivery.group)!;
      lane.release(delivery);
      touched.add(lane);
    }
    for (const lane of touched) if (lane.behind && lane.room >= LANE_CAPACITY / 2) void this.refill(lane);
  }

  /** Takes what the store has for a lane and the lane does not hold, until it has caught up or is full. */
  private async refill(lane: KeyedQueue<StoredDelivery>): Promise<void> {
    lane.behind = true;
    if (this.state !== 'running' || this.refilling.has(lane)) return;
    this.refilling.add(lane);
    await this.inBackground(this.catchUp(lane).finally(() => this.refilling.delete(lane)));
  }

  private async catchUp(lane: KeyedQueue<StoredDelivery>): Promise<void> {
    while (lane.behind && lane.room > 0 && this.state === 'running') {
      // Before the query: an overflow while it runs sets the flag again.
      lane.behind = false;
      const limit = lane.room;
      try {
        const claimed = await this.store.claim({
          groups: [lane.group],
          held: lane.holding,
          all: true,
          limit,
        });
        if (claimed.length === limit) lane.behind = true;
        for (const delivery of claimed) this.outside.runInAsyncScope(() => lane.add(delivery));
      } catch (error) {
        lane.behind = true;
        throw error;
      }
    }
  }

  /** The backstop: deliveries whose holder has died, and lanes that could not catch up. */
  private async poll(): Promise<void> {
    const lanes = [...this.lanes.values()];
    for (const lane of lanes) if (lane.behind && lane.room > 0) void this.refill(lane);
    const groups = lanes.filter((lane) => lane.room > 0).map(({ group }) => group);
    const held = lanes.flatMap((lane) => lane.holding);
    const claimed = await this.store.claim({ groups, held, all: false, limit: LANE_CAPACITY });
    for (const delivery of claimed) this.lanes.get(delivery.group)!.add(delivery);
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
    const { store } = this;
    const groups = () => this.groups;
    gauge(registry, {
      name: 'pulso_events_pending',
      help: 'Deliveries outstanding',
      labelNames: ['group'],
      async collect() {
        this.reset();
        for (const { group, count } of await store.pending(groups())) this.set({ group }, count);
      },
    });
  }
}

const consumerName = (group: string, topic: string) => `${group}\n${topic}`;
