import { growingCache } from './growing-cache.js';

describe('growingCache', () => {
  it('forgets the least recently used beyond its number of entries', () => {
    const cache = growingCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
    cache.set('a', 4);
    expect(cache.get('a')).toBe(4);
    expect(cache.size).toBe(2);
  });
});
