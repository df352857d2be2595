import { LRUCache } from 'lru-cache';
import type { ConsistencyToken } from '../context/request-context.js';

const REMEMBERED = 20_000;

/** The newest version that this process is known to show, by topic and key. What was shown once stays shown. */
export class SeenTokens {
  private readonly versions = new LRUCache<string, number>({ max: REMEMBERED });

  has(mark: ConsistencyToken): boolean {
    return (this.versions.get(nameOf(mark)) ?? -1) >= mark.version;
  }

  add(mark: ConsistencyToken): void {
    if (!this.has(mark)) this.versions.set(nameOf(mark), mark.version);
  }
}

const nameOf = ({ topic, key }: ConsistencyToken) => `${topic}/${key}`;
