import { AsyncResource } from 'node:async_hooks';
import type { Logger } from 'pino';
import { KeyedQueue } from '../keyed-queue.js';
import type { DeliveryStore } from './delivery-store.js';
import type { LateDeliveries } from './late-deliveries.js';
import type { StoredDelivery } from './stored-delivery.js';

/** Deliveries of one group that are held in memory. */
const CAPACITY = 1_000;

export interface GroupQueuesOptions {
  store: DeliveryStore;
  /** Gets the deliveries with rows that the queues take. */
  late: LateDeliveries;
  logger: Logger;
  /** Handlers of one group that may run at once. */
  concurrency: number;
  run(delivery: StoredDelivery): Promise<void>;
}

type Queue = KeyedQueue<StoredDelivery>;

/**
 * The deliveries that this process holds in memory, a queue for each of its groups. What a queue had no room for, and what
 * another process held that has died, comes from the store.
 */
export class GroupQueues {
  private readonly queues = new Map<string, Queue>();
  private readonly background = new Set<Promise<void>>();
  private readonly refilling = new Set<Queue>();
  // Handlers must not inherit the context of the request that published the event.
  private readonly outside = new AsyncResource('GroupQueues');
  private isOpen = false;

  constructor(private readonly options: GroupQueuesOptions) {}

  get groups(): string[] {
    return [...this.queues.keys()];
  }

  add(group: string): void {
    if (this.queues.has(group)) return;
    const { concurrency, run } = this.options;
    this.queues.set(group, new KeyedQueue(group, { concurrency, capacity: CAPACITY, run }));
  }

  /** Takes what the store has; resolves when none is left or the queues are full. */
  async open(): Promise<void> {
    this.isOpen = true;
    await Promise.all([...this.queues.values()].map((queue) => this.refill(queue)));
  }

  /** Starts no more deliveries; resolves when the running ones, and what reads the store, have ended. */
  async close(): Promise<void> {
    this.isOpen = false;
    await Promise.all([...[...this.queues.values()].map((queue) => queue.close()), ...this.background]);
  }

  /** Queues a delivery that has no row; returns false if there is no room. */
  pass(delivery: StoredDelivery): boolean {
    return this.outside.runInAsyncScope(() => this.queues.get(delivery.group)!.add(delivery));
  }

  /** Queues deliveries that have rows; those for groups of other processes are left to them. */
  take(deliveries: readonly StoredDelivery[]): void {
    const { late } = this.options;
    this.outside.runInAsyncScope(() => {
      for (const delivery of deliveries)
        if (this.queues.get(delivery.group)?.add(delivery)) late.add([delivery]);
    });
  }

  /** Runs a held delivery again. */
  retry(delivery: StoredDelivery): void {
    this.queues.get(delivery.group)!.retry(delivery);
  }

  /** Whether no delivery that has a row waits before a new one of the group. */
  keepsUp(group: string): boolean {
    return !this.options.late.has(group) && !this.queues.get(group)!.behind;
  }

  /** Lets go of what has been dealt with, and fills the queues that have room again. */
  release(deliveries: readonly StoredDelivery[]): void {
    const touched = new Set<Queue>();
    for (const delivery of deliveries) {
      const queue = this.queues.get(delivery.group)!;
      queue.release(delivery);
      touched.add(queue);
    }
    for (const queue of touched) if (queue.behind && queue.room >= CAPACITY / 2) void this.refill(queue);
  }

  /** The fallback: claims deliveries whose holder has died, and refills queues that are behind. */
  async poll(): Promise<void> {
    const queues = [...this.queues.values()];
    for (const queue of queues) if (queue.behind && queue.room > 0) void this.refill(queue);
    const groups = queues.filter((queue) => queue.room > 0).map(({ group }) => group);
    const held = queues.flatMap((queue) => queue.holding);
    this.take(await this.options.store.claim({ groups, held, all: false, limit: CAPACITY }));
  }

  /** Claims the deliveries that the store has for a queue and the queue does not hold, until none is left or it is full. */
  private async refill(queue: Queue): Promise<void> {
    queue.behind = true;
    if (!this.isOpen || this.refilling.has(queue)) return;
    this.refilling.add(queue);
    await this.inBackground(this.catchUp(queue).finally(() => this.refilling.delete(queue)));
  }

  private async catchUp(queue: Queue): Promise<void> {
    while (queue.behind && queue.room > 0 && this.isOpen) {
      // Reset before the query: an overflow while the query runs sets the flag again.
      queue.behind = false;
      const limit = queue.room;
      try {
        const claimed = await this.options.store.claim({
          groups: [queue.group],
          held: queue.holding,
          all: true,
          limit,
        });
        if (claimed.length === limit) queue.behind = true;
        this.take(claimed);
      } catch (error) {
        queue.behind = true;
        throw error;
      }
    }
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
}
