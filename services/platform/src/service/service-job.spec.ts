import { job } from './service-job.js';

class Part {}

describe('a job of a service', () => {
  it('gives its work the part and the signal of the stop', async () => {
    const part = new Part();
    const given: unknown[] = [];
    const { run } = job('purge', 1, Part, async (...all) => void given.push(...all));
    const { signal } = new AbortController();
    await run(<T>() => part as T, signal);
    expect(given[0]).toBe(part);
    expect(given[1]).toBe(signal);
  });

  it('says whether commits wake it', () => {
    const work = () => Promise.resolve();
    expect(job('purge', 1, Part, work).afterCommitMs).toBeUndefined();
    expect(job('sum', 1, Part, work, { afterCommitMs: 500 }).afterCommitMs).toBe(500);
  });
});
