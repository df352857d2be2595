import type { LRUCache } from 'lru-cache';
import { growingCache } from '../collections/growing-cache.js';
import type { Clock } from '../time/clock.js';

export interface KeyWindow {
  /** What was added since the window began. */
  sum: number;
  /** Milliseconds since the epoch. */
  endsAt: number;
}

/**
 * Sums amounts for each key in a window of time that begins with the first one, such as the bytes of an address in a day. Each process
 * counts by itself. Beyond `maxKeys` the least recently used keys are forgotten.
 */
export class KeyWindows {
  private readonly windows: LRUCache<string, KeyWindow>;

  constructor(
    private readonly clock: Clock,
    maxKeys: number,
  ) {
    this.windows = growingCache<string, KeyWindow>(maxKeys);
  }

  /** Adds to the window that the key is in, or begins one that lasts `windowMs`. Returns it. */
  add(key: string, amount: number, windowMs: number): Readonly<KeyWindow> {
    const window = this.open(key) ?? { sum: 0, endsAt: this.clock.now() + windowMs };
    window.sum += amount;
    this.windows.set(key, window);
    return window;
  }

  /** In how many seconds, 1 or more, the window ends in which the key has had `most` or more; undefined where it has not. */
  secondsBeyond(key: string, most: number): number | undefined {
    const window = this.open(key);
    if (!window || window.sum < most) return undefined;
    return Math.max(1, Math.ceil((window.endsAt - this.clock.now()) / 1000));
  }

  private open(key: string): KeyWindow | undefined {
    const window = this.windows.get(key);
    return window && window.endsAt > this.clock.now() ? window : undefined;
  }
}
