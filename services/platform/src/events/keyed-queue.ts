import type { EventRecord } from './event-bus.js';

/** The fields of a delivery that the queue uses. */
export interface QueuedDelivery {
  /** Unique within the queue. */
  seq: string;
  event: Pick<EventRecord, 'topic' | 'key'>;
}

export interface KeyedQueueOptions<D extends QueuedDelivery> {
  /** Handlers of the group that may run at once. */
  concurrency: number;
  /** Deliveries held in memory; more stay in the store until there is room. */
  capacity: number;
  run(delivery: D): Promise<void>;
}

/**
 * One group's deliveries in memory. Deliveries of one key run one at a time, in the order given; several keys run at once.
 * A delivery is held from `add` until `release`; while it waits for a retry, later deliveries of its key may run.
 */
export class KeyedQueue<D extends QueuedDelivery> {
  /** Whether the store may have deliveries for this group that are not held. */
  behind = true;
  private readonly held = new Map<string, D>();
  private readonly queues = new Map<string, D[]>();
  private readonly ready: string[] = [];
  private readonly running = new Set<Promise<void>>();
  private closed = false;

  constructor(
    readonly group: string,
    private readonly options: KeyedQueueOptions<D>,
  ) {}

  get room(): number {
    return Math.max(0, this.options.capacity - this.held.size);
  }

  get holding(): D[] {
    return [...this.held.values()];
  }

  /** Returns false if the delivery is held already, or if there is no room: then it stays in the store for later. */
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

  /** Starts no more deliveries; resolves when the running ones have ended. */
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
