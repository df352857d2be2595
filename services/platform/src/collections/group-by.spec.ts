import { groupBy } from './group-by.js';

it('groups items by key, both in their order', () => {
  const groups = groupBy(['pear', 'apple', 'plum', 'avocado', 'kiwi'], (name) => name[0]);
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
    ['k', ['kiwi']],
  ]);
  expect([...groupBy([], (item) => item)]).toEqual([]);
});
