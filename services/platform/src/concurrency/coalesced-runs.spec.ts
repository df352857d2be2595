import { CoalescedRuns } from './coalesced-runs.js';

function someWork() {
  const started: { resolve(value: number): void; reject(error: Error): void }[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      started.push({ resolve, reject });
    });
  return { started, work };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('CoalescedRuns', () => {
  it('lets all calls during a run share the next run', async () => {
    const runs = new CoalescedRuns<number>();
    const { started, work } = someWork();
    const first = runs.run('key', work);
    const others = [runs.run('key', work), runs.run('key', work), runs.run('key', work)];
    expect(started).toHaveLength(1);
    started[0]!.resolve(1);
    expect(await first).toBe(1);
    await turn();
    expect(started).toHaveLength(2);
    started[1]!.resolve(2);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
    const later = runs.run('key', work);
    started[2]!.resolve(3);
    expect(await later).toBe(3);
  });

  it('runs different keys independently', () => {
    const runs = new CoalescedRuns<number>();
    const { started, work } = someWork();
    void runs.run('a', work);
    void runs.run('b', work);
    expect(started).toHaveLength(2);
  });

  it('runs again after a failure', async () => {
    const runs = new CoalescedRuns<number>();
    const { started, work } = someWork();
    const first = runs.run('key', work);
    const second = runs.run('key', work);
    started[0]!.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await turn();
    started[1]!.resolve(2);
    expect(await second).toBe(2);
  });
});
