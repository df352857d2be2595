import type { LRUCache } from 'lru-cache';
import { growingCache } from './growing-cache.js';
import type { Clock } from '../time/clock.js';
import type { Signals } from '../signals/signals.js';

/** A change whose signal was lost is seen after this time: others see a write within 1 s (HTTP-3). */
const KEPT_MS = 1_000;

/** Keeps what a reading has found, under a key, unless something has changed since the reading began. */
export type Keep<V> = (key: string, value: V) => void;

/**
 * What a process remembers of rows that any process of the service may change: while signals are heard, until one tells that the
 * row has changed. It costs no query, unlike a change tail; a change in another process is seen when its signal comes.
 */
export class SignalledCache<V extends object> {
  private readonly kept: LRUCache<string, { value: V; since: number }>;
  private readonly prefix: string;
  private keeping = false;
  private changes = 0;
  /** Ends the listening. */
  readonly end: () => void;

  /** `name` is that of the rows among all services; `most` is how many rows are remembered. */
  constructor(
    private readonly signals: Signals,
    private readonly clock: Clock,
    { name, most }: { name: string; most: number },
  ) {
    this.kept = growingCache(most);
    this.prefix = `${name}:`;
    this.end = signals.listen({
      heard: (channel) => {
        if (channel.startsWith(this.prefix)) this.forget(channel.slice(this.prefix.length));
      },
      lost: () => {
        this.keeping = false;
        this.clear();
      },
      resumed: () => {
        this.clear();
        this.keeping = true;
      },
    });
  }

  get(key: string): V | undefined {
    // `peek` does not note the use, which would cost more than the look: what is kept is read again soon.
    const found = this.kept.peek(key);
    return found && this.clock.now() - found.since < KEPT_MS ? found.value : undefined;
  }

  /** Call it before the rows are read. */
  reading(): Keep<V> {
    const { changes } = this;
    const since = this.clock.now();
    return (key, value) => {
      if (this.keeping && changes === this.changes) this.kept.set(key, { value, since });
    };
  }

  /** A row was written here: all processes forget it, this one at once. */
  changed(key: string): void {
    this.forget(key);
    this.signals.send(`${this.prefix}${key}`);
  }

  /** This process alone forgets it: it knows of a newer state. */
  forget(key: string): void {
    this.changes += 1;
    this.kept.delete(key);
  }

  clear(): void {
    this.changes += 1;
    this.kept.clear();
  }
}
