import { jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runParallel } from '../../tools/run-parallel.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pulso-parallel-'));
const log = join(folder, 'log');
beforeAll(() => writeFileSync(log, ''));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => void jest.spyOn(console, 'log').mockReturnValue());
afterEach(() => jest.restoreAllMocks());

/** Tasks that tell when they begin, and end when they are told to. */
function tasks(...titles: string[]) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (title: string) => () => {
    begun.push(title);
    return new Promise<void>((resolve) => ends.set(title, resolve));
  };
  return { begun, ends, all: titles.map((title) => ({ title, log, run: run(title) })) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('tasks in parallel', () => {
  it('begin in their order, so many at once', async () => {
    const { begun, ends, all } = tasks('a', 'b', 'c', 'd');
    const running = runParallel(all, { atOnce: 3 });
    await turn();
    expect(begun).toEqual(['a', 'b', 'c']);
    ends.get('b')!();
    await turn();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const title of ['a', 'c', 'd']) ends.get(title)!();
    await running;
  });

  it('that come later follow, also when the first ones have ended', async () => {
    const { begun, ends, all } = tasks('a', 'b', 'c');
    let come: (some: typeof all) => void = () => undefined;
    const later = new Promise<typeof all>((resolve) => (come = resolve));
    const running = runParallel(all.slice(0, 1), { atOnce: 2, later });
    await turn();
    ends.get('a')!();
    await turn();
    expect(begun).toEqual(['a']);
    come(all.slice(1));
    await turn();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const title of ['b', 'c']) ends.get(title)!();
    await running;
  });

  it('end all when one rejects', async () => {
    const { all } = tasks('a');
    const broken = { title: 'broken', log, run: () => Promise.reject(new Error('it broke')) };
    await expect(runParallel([...all, broken], { atOnce: 2 })).rejects.toThrow('it broke');
  });
});
