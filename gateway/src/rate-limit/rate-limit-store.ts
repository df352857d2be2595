import { LRUCache } from 'lru-cache';
import type { Clock } from '@pulso/platform/time/clock';

/** Where hits are counted: in memory here, shared by all replicas in the cluster. */
export interface RateLimitStore {
  /** Counts one hit in the window that `key` is in and tells how many there are and when, in ms, it ends. */
  hit(key: string, windowMs: number): WindowState | Promise<WindowState>;
  /** Takes one hit back, where the window it was counted in is still open. */
  takeBack(key: string): void | Promise<void>;
}

export interface WindowState {
  hits: number;
  endsAt: number;
}

/** Bounded: under a flood of addresses the least recently seen are forgotten first. */
const MAX_KEYS = 100_000;

export class InMemoryRateLimitStore implements RateLimitStore {
  private readonly windows = new LRUCache<string, WindowState>({ max: MAX_KEYS });

  constructor(private readonly clock: Clock) {}

  hit(key: string, windowMs: number): WindowState {
    const now = this.clock.now();
    const current = this.windows.get(key);
    if (current && current.endsAt > now) {
      current.hits += 1;
      return current;
    }
    const opened = { hits: 1, endsAt: now + windowMs };
    this.windows.set(key, opened);
    return opened;
  }

  takeBack(key: string): void {
    const current = this.windows.get(key);
    if (current && current.hits > 0 && current.endsAt > this.clock.now()) current.hits -= 1;
  }
}
