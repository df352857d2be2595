import { unavailable } from '../errors/domain-error.js';

/** What one key may have of slots, or of waiters. */
export interface SlotShare {
  most: number;
  /** The same while more than half of the total is taken, so that few keys cannot take the rest. */
  mostWhenCrowded?: number;
}

/** A key under which slots are counted, such as an account or an address, and its limits. */
export interface SlotKey extends SlotShare {
  key: string;
  /** Of callers that wait; bounded by the total alone unless given. */
  waiting?: SlotShare;
}

export interface SlotLimits {
  /** The most slots of all keys at once. */
  total: number;
  /** How many callers may wait, and how long one waits; 0 where nobody waits. */
  waiting: number;
  waitMs: number;
}

/** Gives the slot back; may be called again. */
export type ReleaseSlot = () => void;

/** Why a caller gets no slot: too many callers of the key wait, too many callers wait, or none was free in time. */
export type SlotRefusal = 'key' | 'total' | 'late';

interface Waiter {
  keys: readonly SlotKey[];
  admit(release: ReleaseSlot): void;
}

/**
 * Limits how many operations run at once in this process, of each key and in total. The others wait: the first one whose keys have
 * room gets the next slot, so a key that has all its slots holds up nobody else. Keys without slots and waiters take no memory.
 */
export class KeyedSlots {
  private readonly running = new Counts();
  private readonly waiting = new Counts();
  private readonly waiters = new Set<Waiter>();

  /**
   * @param limits is asked each time, so they may change
   * @param refusal makes the error of a caller that gets no slot; `unavailable` unless given
   */
  constructor(
    private readonly limits: () => SlotLimits,
    private readonly refusal: (reason: SlotRefusal) => Error = () => unavailable(),
  ) {}

  /** Whether more than half of all slots are taken. */
  get isCrowded(): boolean {
    return this.running.isCrowded(this.limits().total);
  }

  /** Takes one slot that counts for each of the keys, without waiting; a string says which limit is reached. */
  tryTake(keys: readonly SlotKey[]): ReleaseSlot | 'key' | 'total' {
    const reached = this.running.limitReached(keys, this.limits().total);
    if (reached) return reached;
    this.running.add(keys, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.running.add(keys, -1);
      this.admitWaiters();
    };
  }

  /** The same, and waits where no slot is free. Rejects with the refusal, and with the signal's reason. */
  async take(keys: readonly SlotKey[], signal: AbortSignal): Promise<ReleaseSlot> {
    signal.throwIfAborted();
    const taken = this.tryTake(keys);
    if (typeof taken === 'function') return taken;
    const { waiting, waitMs } = this.limits();
    const shares = keys.map(({ key, waiting: share = UNBOUNDED }) => ({ key, ...share }));
    const reached = this.waiting.limitReached(shares, waiting);
    if (reached) throw this.refusal(reached);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.waiters.delete(waiter);
        this.waiting.add(keys, -1);
        settle();
      };
      const waiter: Waiter = { keys, admit: (release) => end(() => resolve(release)) };
      const leave = () => end(() => reject(signal.reason as Error));
      const timer = setTimeout(() => end(() => reject(this.refusal('late'))), waitMs);
      signal.addEventListener('abort', leave);
      this.waiters.add(waiter);
      this.waiting.add(keys, 1);
    });
  }

  private admitWaiters(): void {
    for (const waiter of this.waiters) {
      const taken = this.tryTake(waiter.keys);
      if (typeof taken === 'function') waiter.admit(taken);
      else if (taken === 'total') return;
    }
  }
}

const UNBOUNDED: SlotShare = { most: Infinity };

class Counts {
  private readonly byKey = new Map<string, number>();
  private total = 0;

  isCrowded(total: number): boolean {
    return this.total > total / 2;
  }

  /** The limit that one more would pass. */
  limitReached(keys: readonly SlotKey[], total: number): 'key' | 'total' | undefined {
    const isCrowded = this.isCrowded(total);
    const mostOf = ({ most, mostWhenCrowded = most }: SlotShare) => (isCrowded ? mostWhenCrowded : most);
    if (keys.some((key) => this.of(key) >= mostOf(key))) return 'key';
    return this.total >= total ? 'total' : undefined;
  }

  add(keys: readonly SlotKey[], amount: 1 | -1): void {
    this.total += amount;
    for (const key of keys) {
      const count = this.of(key) + amount;
      if (count === 0) this.byKey.delete(key.key);
      else this.byKey.set(key.key, count);
    }
  }

  private of({ key }: SlotKey): number {
    return this.byKey.get(key) ?? 0;
  }
}
