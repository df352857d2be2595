import { unavailable } from '@pulso/platform/errors/domain-error';

export interface SlotLimits {
  total: number;
  perKey: number;
  /** How long one waits for a slot, and how many may wait. */
  waitMs: number;
  waiting: number;
}

interface Waiting {
  key: string;
  begin(): void;
}

/** Lets so many go at once, of one key and in all; the others wait in order. */
export class Slots {
  private readonly taken = new Map<string, number>();
  private readonly queue: Waiting[] = [];
  private running = 0;

  constructor(private readonly limits: () => SlotLimits) {}

  /**
   * Resolves with what gives the slot back. Rejects with `unavailable` when none is free in time, and with the signal's reason.
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.isFree(key)) await this.wait(key, signal);
    else this.begin(key);
    let held = true;
    return () => {
      if (held) this.end(key);
      held = false;
    };
  }

  private async wait(key: string, signal: AbortSignal): Promise<void> {
    const { waitMs, waiting } = this.limits();
    if (this.queue.length >= waiting) throw unavailable();
    let waiter: Waiting;
    let timer: NodeJS.Timeout | undefined;
    let leave: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        waiter = { key, begin: resolve };
        this.queue.push(waiter);
        timer = setTimeout(() => reject(unavailable()), waitMs);
        leave = () => reject(signal.reason as Error);
        signal.addEventListener('abort', leave);
      });
    } catch (error) {
      const place = this.queue.indexOf(waiter!);
      if (place >= 0) this.queue.splice(place, 1);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave!);
    }
  }

  private isFree(key: string): boolean {
    const { total, perKey } = this.limits();
    return this.running < total && (this.taken.get(key) ?? 0) < perKey;
  }

  private begin(key: string): void {
    this.running += 1;
    this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
  }

  private end(key: string): void {
    this.running -= 1;
    const left = this.taken.get(key)! - 1;
    if (left === 0) this.taken.delete(key);
    else this.taken.set(key, left);
    // Not only the first: its key may have all the slots it may have.
    const next = this.queue.findIndex((waiter) => this.isFree(waiter.key));
    const [waiter] = next < 0 ? [] : this.queue.splice(next, 1);
    if (!waiter) return;
    // Taken before the waiter runs, so that nobody comes between.
    this.begin(waiter.key);
    waiter.begin();
  }
}
