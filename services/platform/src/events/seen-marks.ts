import { LRUCache } from 'lru-cache';
import type { WriteMark } from '../context/request-context.js';

const REMEMBERED = 20_000;

/** The newest version that this process is known to show, by topic and key. What was shown once stays shown. */
export class SeenMarks {
  private readonly versions = new LRUCache<string, number>({ max: REMEMBERED });

  has(mark: WriteMark): boolean {
    return (this.versions.get(nameOf(mark)) ?? -1) >= mark.version;
  }

  add(mark: WriteMark): void {
    if (!this.has(mark)) this.versions.set(nameOf(mark), mark.version);
  }
}

const nameOf = ({ topic, key }: WriteMark) => `${topic}/${key}`;
