import { BatchedReads } from './batched-reads.js';

/** A fake whose queries answer when the test says so. */
function aStore(values: Record<string, number>) {
  const queries: { keys: string[]; answer(): void; fail(): void }[] = [];
  const reads = new BatchedReads<number>(
    (keys) =>
      new Promise((resolve, reject) => {
        const found = () => new Map(keys.flatMap((key) => (key in values ? [[key, values[key]!]] : [])));
        queries.push({
          keys,
          answer: () => resolve(found()),
          fail: () => reject(new Error('store is down')),
        });
      }),
    3,
  );
  return { queries, reads };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('BatchedReads', () => {
  it('combines the reads of one event loop turn into one query', async () => {
    const { queries, reads } = aStore({ a: 1, b: 2 });
    const asked = Promise.all([reads.read('a'), reads.read('b'), reads.read('a'), reads.read('c')]);
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']]);
    queries[0]!.answer();
    expect(await asked).toEqual([1, 2, 1, undefined]);
  });

  it('never joins a query that has been sent, which would miss later writes', async () => {
    const values: Record<string, number> = { a: 1 };
    const { queries, reads } = aStore(values);
    const first = reads.read('a');
    await nextTurn();
    const second = reads.read('a');
    await nextTurn();
    expect(queries).toHaveLength(1);
    queries[0]!.answer();
    expect(await first).toBe(1);
    values['a'] = 2;
    await nextTurn();
    queries[1]!.answer();
    expect(await second).toBe(2);
  });

  it('limits a query, fails only its own readers, and continues afterwards', async () => {
    const { queries, reads } = aStore({ a: 1, d: 4 });
    const asked = Promise.allSettled(['a', 'b', 'c', 'd'].map((key) => reads.read(key)));
    await nextTurn();
    queries[0]!.fail();
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'c'], ['d']]);
    queries[1]!.answer();
    expect((await asked).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    const later = reads.read('a');
    await nextTurn();
    queries[2]!.answer();
    expect(await later).toBe(1);
  });
});
