import { upsertIfNewer } from './upsert-if-newer.js';

describe('upsertIfNewer', () => {
  const duplicateKey = Object.assign(new Error('E11000 duplicate key'), { code: 11000 });

  it.each([
    ['an older version was inserted first', 1, true],
    ['a newer version was inserted first', 0, false],
  ])('retries without inserting if %s', async (_, modifiedCount, changed) => {
    const calls: unknown[] = [];
    const raced = {
      async updateOne(filter: object, update: object, options?: { upsert?: boolean }) {
        calls.push({ filter, update });
        if (options?.upsert) throw duplicateKey;
        return { modifiedCount, upsertedCount: 0 };
      },
    };
    const also = { $currentDate: { changedAt: true } };
    expect(await upsertIfNewer(raced, 'ada', 7, { name: 'Ada' }, also)).toBe(changed);
    const call = {
      filter: { _id: 'ada', version: { $lt: 7 } },
      update: { $set: { name: 'Ada', version: 7 }, ...also },
    };
    expect(calls).toEqual([call, call]);
  });
});
