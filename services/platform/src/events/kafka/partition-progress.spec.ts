import { failuresIn, PartitionProgress } from './partition-progress.js';

describe('PartitionProgress', () => {
  const taken = (...offsets: number[]) => {
    const progress = new PartitionProgress();
    for (const offset of offsets) progress.take(offset, 1_000 + offset);
    return progress;
  };

  it('has nothing to commit before anything was read', () => {
    expect(new PartitionProgress().uncommitted).toBeUndefined();
  });

  it('does not commit past an open event', () => {
    const progress = taken(5, 6, 7);
    progress.done(6);
    progress.done(7);
    expect(progress.uncommitted).toEqual({ offset: 5, metadata: '' });
    progress.done(5);
    expect(progress.uncommitted).toEqual({ offset: 8, metadata: '' });
  });

  it('commits again only what has changed, failures included', () => {
    const progress = taken(5, 6);
    progress.markCommitted(progress.uncommitted!);
    expect(progress.uncommitted).toBeUndefined();
    progress.noteFailures(6, 2);
    const commit = progress.uncommitted!;
    expect(commit.offset).toBe(5);
    expect(failuresIn(commit.metadata)).toEqual(new Map([[6, 2]]));
    progress.markCommitted(commit);
    expect(progress.uncommitted).toBeUndefined();
  });

  it('takes nothing twice', () => {
    const progress = taken(5, 9);
    progress.done(5);
    expect([5, 9, 7].map((offset) => progress.take(offset, 0))).toEqual([false, false, false]);
    expect(progress.take(10, 0)).toBe(true);
  });

  it('resolves when few enough events are open, and knows the oldest', async () => {
    const progress = taken(1, 2, 3);
    expect(progress.oldestAt).toBe(1_001);
    let reached = false;
    const down = progress.downTo(1).then(() => (reached = true));
    progress.done(1);
    await progress.downTo(2);
    expect(reached).toBe(false);
    progress.done(3);
    await down;
    expect(progress.oldestAt).toBe(1_002);
    progress.done(2);
    expect(progress.oldestAt).toBeUndefined();
  });

  it('stays within the size of metadata that Kafka stores with an offset', () => {
    const progress = taken(...Array.from({ length: 1_000 }, (_, index) => 1_000_000_000 + index));
    for (let index = 0; index < 1_000; index += 1) progress.noteFailures(1_000_000_000 + index, 7);
    expect(progress.uncommitted!.metadata.length).toBeLessThan(4_096);
  });
});

describe('failuresIn', () => {
  it.each([[null], [''], ['from another program'], ['[]'], ['7']])('reads nothing from %j', (metadata) => {
    expect(failuresIn(metadata)).toEqual(new Map());
  });
});
