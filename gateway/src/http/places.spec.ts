import { Places } from './places.js';

describe('places', () => {
  // Rule: LIMIT-10
  it('are fewer for an owner while more than half of all are taken', () => {
    const places = new Places({ own: [4], crowded: [1], all: 6 });
    const take = (owner: string) => typeof places.take(owner) === 'function';
    expect(Array.from({ length: 5 }, () => take('a'))).toEqual([true, true, true, true, false]);
    expect([take('b'), take('b'), take('c'), take('d')]).toEqual([true, false, true, false]);
  });
});
