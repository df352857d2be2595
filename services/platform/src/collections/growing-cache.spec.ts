import { growingCache } from './growing-cache.js';

describe('growingCache', () => {
  it('forgets the least recently used beyond its number of entries', () => {
    const cache = growingCache<string, { of: string }>(2);
    cache.set('a', { of: 'a' });
    cache.set('b', { of: 'b' });
    cache.get('a');
    cache.set('c', { of: 'c' });
    expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
    cache.set('a', { of: 'another' });
    expect(cache.get('a')).toEqual({ of: 'another' });
    expect(cache.size).toBe(2);
  });
});
