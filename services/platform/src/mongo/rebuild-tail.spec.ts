import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '../logging/logger.js';
import { takeOverFinished } from './rebuild-tail.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Polls the rows of finished rebuilds; the test ends the take-overs that this has begun. */
function aTail() {
  const rows: { _id: string; projection: string; finished: boolean }[] = [];
  const begun: { name: string; done(): void; fail(): void }[] = [];
  const takeOver = (name: string) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ name, done: resolve, fail: () => reject(new Error('no')) });
    });
  const apply = takeOverFinished(takeOver, logger);
  const finish = (projection: string, run: string) => {
    rows.push({ _id: `${projection}/${run}`, projection, finished: true });
  };
  const look = async () => {
    apply(rows);
    await nextTurn();
  };
  return { look, begun, finish };
}

describe('the tail of rebuilds', () => {
  it('takes over each projection once at a time, and again for a later run', async () => {
    const { look, begun, finish } = aTail();
    finish('hiddenPosts', 'run-1');
    finish('users', 'run-1');
    await look();
    await look();
    finish('hiddenPosts', 'run-2');
    await look();
    expect(begun.map(({ name }) => name)).toEqual(['hiddenPosts', 'users']);
    begun[0]!.done();
    await nextTurn();
    await look();
    begun[2]!.done();
    await nextTurn();
    await look();
    expect(begun.map(({ name }) => name)).toEqual(['hiddenPosts', 'users', 'hiddenPosts']);
  });

  it('retries a failed take-over', async () => {
    const { look, begun, finish } = aTail();
    finish('users', 'run-1');
    await look();
    begun[0]!.fail();
    await nextTurn();
    await look();
    await look();
    begun[1]!.done();
    await nextTurn();
    await look();
    await look();
    expect(begun).toHaveLength(2);
  });
});
