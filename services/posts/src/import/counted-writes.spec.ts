import type { ImportRepository } from '../store/import.repository.js';
import { CountedWrites, type Outcome } from './counted-writes.js';

/** Items whose writing ends as their id says; `known` are there afterwards. */
async function written(ids: readonly string[], known: readonly string[] = []) {
  const counted: object[] = [];
  const imports: Pick<ImportRepository, 'reserve' | 'giveBack'> = {
    reserve: async (_user, kind, size) => void counted.push({ reserved: kind, ...size }),
    giveBack: async (_user, kind, size) => void counted.push({ givenBack: kind, ...size }),
  };
  const items = ids.map((id) => ({ id, textBytes: 10 }));
  const ended: string[] = [];
  const outcomes = await new CountedWrites(imports as ImportRepository)
    .writeAll('ada', 'posts', items, {
      write: async ({ id }) => {
        await Promise.resolve();
        ended.push(id);
        if (id.startsWith('fails')) throw new Error(id);
        return id as Outcome;
      },
      find: async () => new Map(known.map((id) => [id, true])),
    })
    .catch((error: Error) => error.message);
  return { counted, ended, outcomes };
}

// Rule: LIMIT-21
describe('a piece of an import', () => {
  it('is counted before it is written, without what was there and what is gone', async () => {
    const ids = ['written', 'there', 'gone'];
    expect(await written(ids)).toEqual({
      counted: [
        { reserved: 'posts', count: 3, textBytes: 30 },
        { givenBack: 'posts', count: 2, textBytes: 20 },
      ],
      ended: ids,
      outcomes: ids,
    });
  });

  it('is counted no more where a write fails, unless its row is there, and tells the failure once all have ended', async () => {
    const ids = ['fails', 'written', 'fails late', 'there'];
    const { counted, ended, outcomes } = await written(ids, ['fails late', 'written', 'there']);
    expect(outcomes).toBe('fails');
    expect(ended).toEqual(ids);
    expect(counted.at(-1)).toEqual({ givenBack: 'posts', count: 2, textBytes: 20 });
  });
});
