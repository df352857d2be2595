import { createLogger } from '@pulso/platform/logging/logger';
import type { ProjectionName, RebuildRow } from './rebuild.schema.js';
import { rebuildTail } from './rebuild-tail.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** A tail over `rows`, and the takings-over it has begun, for a test to end. */
function aTail() {
  const rows: RebuildRow[] = [];
  const begun: { name: ProjectionName; done(): void; fail(): void }[] = [];
  const found = { sort: () => ({ limit: () => ({ toArray: async () => rows }) }) };
  const rebuilt = (name: ProjectionName) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ name, done: resolve, fail: () => reject(new Error('no')) });
    });
  const tail = rebuildTail({ raw: { rebuilds: { find: () => found } } } as never, rebuilt, logger);
  const finish = (projection: ProjectionName, run: string) => {
    const at = new Date(rows.length);
    const _id = `${projection}/${run}`;
    rows.push({ _id, projection, openedAt: at, ended: [], finished: true, changedAt: at });
  };
  return { tail, begun, finish };
}

describe('the tail of rebuilds', () => {
  it('has each projection taken over once at a time, and again for a later run', async () => {
    const { tail, begun, finish } = aTail();
    finish('hiddenPosts', 'run-1');
    finish('users', 'run-1');
    await tail.look();
    await tail.look();
    finish('hiddenPosts', 'run-2');
    await tail.look();
    expect(begun.map(({ name }) => name)).toEqual(['hiddenPosts', 'users']);
    begun[0]!.done();
    await tail.look();
    begun[2]!.done();
    await tail.look();
    await tail.look();
    expect(begun.map(({ name }) => name)).toEqual(['hiddenPosts', 'users', 'hiddenPosts']);
  });

  it('tries again what has failed', async () => {
    const { tail, begun, finish } = aTail();
    finish('users', 'run-1');
    await tail.look();
    begun[0]!.fail();
    await tail.look();
    await tail.look();
    begun[1]!.done();
    await tail.look();
    await tail.look();
    expect(begun).toHaveLength(2);
  });
});
