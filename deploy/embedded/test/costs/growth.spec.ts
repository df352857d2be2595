import { growthOf, least, tableText } from './growth.js';
import type { Costs } from './hear-costs.js';

const told: Costs = {
  rpcs: { 'posts.getPost': 1 },
  statements: {},
  commands: { 'posts find posts': 2 },
  deliveries: { 'pulso.posts.post.v1': 3 },
  rows: 2,
  bytes: 1_000,
};

describe('the growth of costs', () => {
  it('is each fact that the table has less of', () => {
    const costs: Costs = {
      rpcs: { 'posts.getPost': 2 },
      statements: { 'social SELECT follows': 1 },
      commands: { 'posts find posts': 2, 'posts find likes': 1 },
      deliveries: { 'pulso.posts.post.v1': 4 },
      rows: 3,
      bytes: 1_100,
    };
    expect(growthOf(costs, told)).toEqual([
      'rpcs posts.getPost: 2 instead of 1',
      'statements social SELECT follows: 1 instead of 0',
      'commands posts find likes: 1 instead of 0',
      'deliveries pulso.posts.post.v1: 4 instead of 3',
      'rows written: 3 instead of 2',
      'bytes written: 1100 instead of 1000',
    ]);
  });

  it('is nothing where an act costs less, or some bytes more', () => {
    expect(growthOf({ ...told, commands: {}, rows: 1, bytes: 1_010 }, told)).toEqual([]);
  });

  it('is the act itself where the table lacks it', () => {
    expect(growthOf(told, undefined)).toEqual(['is not in the table']);
  });

  it('leaves out what only one of two measurements has', () => {
    const disturbed = { ...told, commands: { 'posts find posts': 3, 'posts find outbox': 1 }, bytes: 2_000 };
    expect(least(told, disturbed)).toEqual(told);
    expect(least(disturbed, told)).toEqual(told);
  });
});

it('the table is written in the order of its names, in whatever order they were measured', () => {
  const one = { 'GET /b': { rows: 1, rpcs: { z: 1, a: 2 } }, 'GET /a': { rows: 0 } };
  const other = { 'GET /a': { rows: 0 }, 'GET /b': { rpcs: { a: 2, z: 1 }, rows: 1 } };
  expect(tableText(one)).toBe(tableText(other));
  expect(JSON.parse(tableText(one))).toEqual(other);
  expect(tableText(one)).toMatch(/^\{\n {2}"GET \/a": [^]*\n\}\n$/);
});
