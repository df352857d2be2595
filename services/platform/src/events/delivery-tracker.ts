import { LRUCache } from 'lru-cache';
import type { ConsistencyToken } from '../context/request-context.js';

/** How many (group, key) are remembered; what is forgotten is looked up in the store. */
const REMEMBERED = 20_000;
/** Most waits end within some milliseconds; one that does not may be for something handled long ago. */
const LOOK_UP_AFTER_MS = 100;

interface Waiter {
  /** By topic and key; of several marks for one key the newest. */
  missing: Map<string, ConsistencyToken>;
  end(outcome: { delivered: boolean } | { error: unknown }): void;
}

/** Knows what the projections of this process have handled, and wakes the writes that wait for it. */
export class DeliveryTracker {
  private readonly handledVersions = new LRUCache<string, number>({ max: REMEMBERED });
  private readonly waiters = new Map<string, Set<Waiter>>();
  private readonly projections = new Map<string, string[]>();
  private closed = false;

  /** `lookUp` tells from the store whether all `groups` have handled a mark. */
  constructor(
    private readonly lookUp: (mark: ConsistencyToken, groups: readonly string[]) => Promise<boolean>,
  ) {}

  addProjection(topic: string, group: string): void {
    this.projections.set(topic, [...(this.projections.get(topic) ?? []), group]);
  }

  handled(group: string, mark: ConsistencyToken): void {
    const key = keyOf(mark);
    const name = `${group}\n${key}`;
    if ((this.handledVersions.get(name) ?? -1) < mark.version) this.handledVersions.set(name, mark.version);
    for (const waiter of [...(this.waiters.get(key) ?? [])]) {
      if (this.isSettled(waiter.missing.get(key)!)) this.found(waiter, key);
    }
  }

  /** See `EventBus.delivered`. */
  wait(marks: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean> {
    const missing = new Map<string, ConsistencyToken>();
    for (const mark of marks) {
      if (this.isSettled(mark)) continue;
      if ((missing.get(keyOf(mark))?.version ?? -1) < mark.version) missing.set(keyOf(mark), mark);
    }
    if (missing.size === 0) return Promise.resolve(true);
    if (this.closed) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        missing,
        end: (outcome) => {
          clearTimeout(timeout);
          clearTimeout(lookUp);
          for (const key of missing.keys()) this.forget(waiter, key);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.delivered);
        },
      };
      const timeout = setTimeout(() => waiter.end({ delivered: false }), timeoutMs);
      const lookUp = setTimeout(
        () => void this.lookUpMissing(waiter),
        Math.min(LOOK_UP_AFTER_MS, timeoutMs / 2),
      );
      for (const key of missing.keys()) {
        const others = this.waiters.get(key);
        if (others) others.add(waiter);
        else this.waiters.set(key, new Set([waiter]));
      }
    });
  }

  /** Ends all waits without success, later ones at once. */
  close(): void {
    this.closed = true;
    const all = new Set([...this.waiters.values()].flatMap((waiters) => [...waiters]));
    for (const waiter of all) waiter.end({ delivered: false });
  }

  private isSettled(mark: ConsistencyToken): boolean {
    const key = keyOf(mark);
    const groups = this.projections.get(mark.topic) ?? [];
    return groups.every((group) => (this.handledVersions.get(`${group}\n${key}`) ?? -1) >= mark.version);
  }

  private async lookUpMissing(waiter: Waiter): Promise<void> {
    try {
      await Promise.all(
        [...waiter.missing].map(async ([key, mark]) => {
          if (await this.lookUp(mark, this.projections.get(mark.topic) ?? [])) this.found(waiter, key);
        }),
      );
    } catch (error) {
      waiter.end({ error });
    }
  }

  private found(waiter: Waiter, key: string): void {
    waiter.missing.delete(key);
    this.forget(waiter, key);
    if (waiter.missing.size === 0) waiter.end({ delivered: true });
  }

  private forget(waiter: Waiter, key: string): void {
    const waiters = this.waiters.get(key);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiters.delete(key);
  }
}

const keyOf = ({ topic, key }: ConsistencyToken) => `${topic}\n${key}`;
