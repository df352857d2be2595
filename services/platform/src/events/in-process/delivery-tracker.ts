import { LRUCache } from 'lru-cache';
import type { ConsistencyToken } from '../../context/request-context.js';

/** How many (group, key) pairs are cached; others are looked up in the store. */
const MAX_HANDLED_VERSIONS = 20_000;
/** Most waits end within some milliseconds; a longer wait may be for an event that was handled long ago. */
const LOOK_UP_AFTER_MS = 100;

interface Waiter {
  /** By topic and key; the newest if there are several tokens for one key. */
  missing: Map<string, ConsistencyToken>;
  end(outcome: { delivered: boolean } | { error: unknown }): void;
}

/** Tracks the events that the projections of this process have handled, and wakes the writes that wait for them. */
export class DeliveryTracker {
  private readonly handledVersions = new LRUCache<string, number>({ max: MAX_HANDLED_VERSIONS });
  private readonly waiters = new Map<string, Set<Waiter>>();
  private readonly projections = new Map<string, string[]>();
  private closed = false;

  /** `lookUp` asks the store whether all `groups` have handled a token. */
  constructor(
    private readonly lookUp: (token: ConsistencyToken, groups: readonly string[]) => Promise<boolean>,
  ) {}

  addProjection(topic: string, group: string): void {
    this.projections.set(topic, [...(this.projections.get(topic) ?? []), group]);
  }

  handled(group: string, token: ConsistencyToken): void {
    const key = keyOf(token);
    const name = `${group}\n${key}`;
    if ((this.handledVersions.get(name) ?? -1) < token.version) this.handledVersions.set(name, token.version);
    for (const waiter of [...(this.waiters.get(key) ?? [])]) {
      if (this.isDelivered(waiter.missing.get(key)!)) this.found(waiter, key);
    }
  }

  /** See `EventBus.delivered`. */
  wait(tokens: readonly ConsistencyToken[], timeoutMs: number): Promise<boolean> {
    const missing = new Map<string, ConsistencyToken>();
    for (const token of tokens) {
      if (this.isDelivered(token)) continue;
      if ((missing.get(keyOf(token))?.version ?? -1) < token.version) missing.set(keyOf(token), token);
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

  /** Ends all waits with `false`; later waits end at once. */
  close(): void {
    this.closed = true;
    const all = new Set([...this.waiters.values()].flatMap((waiters) => [...waiters]));
    for (const waiter of all) waiter.end({ delivered: false });
  }

  private isDelivered(token: ConsistencyToken): boolean {
    const key = keyOf(token);
    const groups = this.projections.get(token.topic) ?? [];
    return groups.every((group) => (this.handledVersions.get(`${group}\n${key}`) ?? -1) >= token.version);
  }

  private async lookUpMissing(waiter: Waiter): Promise<void> {
    try {
      await Promise.all(
        [...waiter.missing].map(async ([key, token]) => {
          if (await this.lookUp(token, this.projections.get(token.topic) ?? [])) this.found(waiter, key);
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
