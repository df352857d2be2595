import type { EventRecord } from './event-bus.js';

/** A delivery as far as a lane looks at it. */
export interface LaneDelivery {
  /** Tells it apart from all others of the lane. */
  seq: string;
  event: Pick<EventRecord, 'topic' | 'key'>;
}

export interface LaneOptions<D extends LaneDelivery> {
  /** Handlers of the group that may run at once. */
  concurrency: number;
  /** Deliveries held in memory; more stay in the store until there is room. */
  capacity: number;
  run(delivery: D): Promise<void>;
}

/**
 * One group's deliveries in memory: one at a time for a key, in the order given, several keys at once. A delivery
 * is held from `add` until `release`; while it waits for a retry, later ones of its key go ahead.
 */
export class KeyedQueue<D extends LaneDelivery> {
  /** Whether the store may have deliveries for this group that are not held. */
  behind = true;
  private readonly held = new Map<string, D>();
  private readonly queues = new Map<string, D[]>();
  private readonly ready: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private closed = false;

  constructor(
    readonly group: string,
    private readonly options: LaneOptions<D>,
  ) {}

  get room(): number {
    return Math.max(0, this.options.capacity - this.held.size);
  }

  get holding(): D[] {
    return [...this.held.values()];
  }

  /** Takes a delivery, and answers true, unless it is held already; without room it stays in the store for later. */
  add(delivery: D): boolean {
    if (this.held.has(delivery.seq)) return false;
    if (this.room === 0) {
      this.behind = true;
      return false;
    }
    this.held.set(delivery.seq, delivery);
    this.enqueue(delivery);
    return true;
  }

  /** Runs a held delivery again. */
  retry(delivery: D): void {
    if (this.held.has(delivery.seq)) this.enqueue(delivery);
  }

  release(delivery: D): void {
    this.held.delete(delivery.seq);
  }

  /** Starts nothing more; resolves when what runs has ended. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.running);
  }

  private enqueue(delivery: D): void {
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
