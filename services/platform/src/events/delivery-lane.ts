import type { StoredDelivery } from './bus-store.js';

export interface LaneOptions {
  /** Handlers of the group that may run at once. */
  concurrency: number;
  /** Deliveries held in memory; more stay in the store until there is room. */
  capacity: number;
  run(delivery: StoredDelivery): Promise<void>;
}

/**
 * One group's deliveries in memory: one at a time for a key, in the order given, several keys at once. A delivery
 * is held from `add` until `release`; while it waits for a retry, later ones of its key go ahead.
 */
export class DeliveryLane {
  /** Whether the store may have deliveries for this group that are not held. */
  behind = true;
  private readonly held = new Map<string, StoredDelivery>();
  private readonly queues = new Map<string, StoredDelivery[]>();
  private readonly ready: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private closed = false;

  constructor(
    readonly group: string,
    private readonly options: LaneOptions,
  ) {}

  get room(): number {
    return Math.max(0, this.options.capacity - this.held.size);
  }

  get holding(): StoredDelivery[] {
    return [...this.held.values()];
  }

  /** Takes a delivery unless it is held already; without room it stays in the store for later. */
  add(delivery: StoredDelivery): void {
    if (this.held.has(delivery.seq)) return;
    if (this.room === 0) {
      this.behind = true;
      return;
    }
    this.held.set(delivery.seq, delivery);
    this.enqueue(delivery);
  }

  /** Runs a held delivery again. */
  retry(delivery: StoredDelivery): void {
    if (this.held.has(delivery.seq)) this.enqueue(delivery);
  }

  release(delivery: StoredDelivery): void {
    this.held.delete(delivery.seq);
  }

  /** Starts nothing more; resolves when what runs has ended. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.running);
  }

  private enqueue(delivery: StoredDelivery): void {
    const key = `${delivery.event.topic}\n${delivery.event.key}`;
    const queue = this.queues.get(key);
    if (queue) {
      queue.push(delivery);
      return;
    }
    this.queues.set(key, [delivery]);
    this.ready.push(key);
    this.pump();
  }

  private pump(): void {
    while (!this.closed && this.running.size < this.options.concurrency) {
      const key = this.ready.shift();
      if (key === undefined) return;
      const turn: Promise<void> = this.options.run(this.queues.get(key)![0]!).finally(() => {
        this.running.delete(turn);
        this.next(key);
      });
      this.running.add(turn);
    }
  }

  private next(key: string): void {
    const queue = this.queues.get(key)!;
    queue.shift();
    if (queue.length > 0) this.ready.push(key);
    else this.queues.delete(key);
    this.pump();
  }
}
