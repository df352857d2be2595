import { knownAmong } from './known-among.js';

it('tells what is known from what is to be read, each id once', () => {
  const known = new Map([
    ['a', 0],
    ['b', 2],
  ]);
  const { found, missing } = knownAmong(['a', 'c', 'b', 'c', 'a'], (id) => known.get(id));
  expect([...found]).toEqual([
    ['a', 0],
    ['b', 2],
  ]);
  expect(missing).toEqual(['c']);
});
