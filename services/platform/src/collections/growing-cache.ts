import { LRUCache } from 'lru-cache';

/**
 * A cache that forgets the least recently used beyond `most` entries, and grows with them: with the option `max` it would take the
 * memory of all of them ahead, 3 MB for 100,000.
 */
export const growingCache = <K extends string, V extends object | number>(most: number): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1 });
