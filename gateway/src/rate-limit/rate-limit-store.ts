import type { LRUCache } from 'lru-cache';
import { growingCache } from '@pulso/platform/collections/growing-cache';
import type { Clock } from '@pulso/platform/time/clock';
import { isOfPasswords } from './limits.js';

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

/** Of each kind. Bounded: under a flood of addresses the least recently seen are forgotten first. */
const MAX_KEYS = 100_000;

export class InMemoryRateLimitStore implements RateLimitStore {
  private readonly windows = growingCache<string, WindowState>(MAX_KEYS);
  /** Of wrong passwords, kept apart: no flood of other requests makes the gateway forget these (LIMIT-2). */
  private readonly ofPasswords = growingCache<string, WindowState>(MAX_KEYS);

  constructor(private readonly clock: Clock) {}

  hit(key: string, windowMs: number): WindowState {
    const now = this.clock.now();
    const windows = this.windowsOf(key);
    const current = windows.get(key);
    if (current && current.endsAt > now) {
      current.hits += 1;
      return current;
    }
    const opened = { hits: 1, endsAt: now + windowMs };
    windows.set(key, opened);
    return opened;
  }

  takeBack(key: string): void {
    const windows = this.windowsOf(key);
    const current = windows.get(key);
    if (!current || current.hits === 0 || current.endsAt <= this.clock.now()) return;
    current.hits -= 1;
    // Else right passwords, and logins that nobody judged, would push out the wrong ones.
    if (current.hits === 0 && windows === this.ofPasswords) windows.delete(key);
  }

  private windowsOf(key: string): LRUCache<string, WindowState> {
    return isOfPasswords(key) ? this.ofPasswords : this.windows;
  }
}
