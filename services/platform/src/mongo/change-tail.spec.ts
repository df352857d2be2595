import { jest } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import type { ChangeListener } from './change-signals.js';
import { type ChangedDocument, ChangeTail } from './change-tail.js';
import { StoreClock } from './store-clock.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const NOW = Date.UTC(2026, 10, 20);

interface Row extends ChangedDocument {
  version: number;
}

interface Asked {
  changedAt?: { $gte: Date; $lte?: Date };
  _id?: { $gt: string };
}

/** A store whose clock the test sets, and a tail that follows it. */
function aStore({ fromNow = false, pageSize = 1_000 } = {}) {
  const documents = new Map<string, Row>();
  const store = {
    time: NOW,
    primary: 'first',
    elapsed: 0,
    read: 0,
    polls: 0,
    away: false,
    held: Promise.resolve(),
  };
  const rows = {
    async find({ changedAt, _id }: Asked, { sort, limit }: { sort: object; limit: number }) {
      const found = [...documents.values()]
        .filter((row) => !changedAt || row.changedAt >= changedAt.$gte)
        .filter((row) => !changedAt?.$lte || row.changedAt <= changedAt.$lte)
        .filter((row) => !_id || row._id > _id.$gt)
        .sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime() || (a._id < b._id ? -1 : 1));
      if ('changedAt' in sort && sort.changedAt === -1) found.reverse();
      if (!('changedAt' in sort)) found.sort((a, b) => (a._id < b._id ? -1 : 1));
      store.read += Math.min(found.length, limit);
      store.polls += 1;
      await store.held;
      if (store.away) throw new Error('away');
      return found.slice(0, limit);
    },
  };
  const storeClock = new StoreClock(
    async () => ({ time: store.time, primary: store.primary }),
    () => store.elapsed,
  );
  const seen = new Map<string, number>();
  let others: ChangeListener | undefined;
  const rereads: number[] = [];
  const tail = new ChangeTail<Row>({
    rows: rows as never,
    fields: ['version'],
    apply: (page) => page.forEach(({ _id, version }) => seen.set(_id, version)),
    logger,
    storeClock,
    hear: (listener) => (others = listener),
    fromNow,
    reread: async () => void rereads.push(seen.size),
    pageSize,
    rereadPauseMs: 0,
  });
  return {
    store,
    documents,
    seen,
    rereads,
    tail,
    /** What other replicas tell. */
    others: () => others!,
    write(id: string, version = 1) {
      documents.set(id, { _id: id, version, changedAt: new Date(store.time) });
    },
    /** Lets time pass, for the store as for this process. */
    pass(ms: number) {
      store.time += ms;
      store.elapsed += ms;
    },
  };
}

describe('ChangeTail', () => {
  it.each([15_000, 3_600_000])(
    'passes on what is written after the store’s clock went back by %d ms',
    async (back) => {
      const world = aStore();
      world.write('before');
      await world.tail.poll();
      world.pass(1_000);
      world.write('also before');
      await world.tail.poll();
      world.store.time -= back;
      // The clock is read once a second, so this change is found by a later poll.
      world.write('at once');
      await world.tail.poll();
      for (let turn = 0; turn < 30; turn++) {
        world.pass(1_000);
        world.write(`turn ${turn}`);
        await world.tail.poll();
        expect(world.seen.has(`turn ${turn}`)).toBe(true);
      }
      expect([...world.seen.keys()].sort()).toEqual([...world.documents.keys()].sort());
    },
  );

  it('passes on what becomes visible late, while the clock is behind', async () => {
    const world = aStore();
    world.write('before');
    await world.tail.poll();
    world.store.time -= 60_000;
    world.pass(20_000);
    await world.tail.poll();
    world.documents.set('late', { _id: 'late', version: 1, changedAt: new Date(world.store.time - 9_000) });
    await world.tail.poll();
    expect(world.seen.has('late')).toBe(true);
  });

  it('reads only the time around the clock, while that is far behind', async () => {
    const world = aStore();
    for (let minute = 0; minute < 60; minute++) {
      for (let change = 0; change < 50; change++) world.write(`${minute} ${change}`);
      world.pass(60_000);
    }
    await world.tail.poll();
    world.store.time -= 3_600_000;
    world.pass(1_000);
    await world.tail.poll();
    world.store.read = 0;
    world.pass(1_000);
    world.write('new');
    await world.tail.poll();
    expect(world.seen.has('new')).toBe(true);
    expect(world.store.read).toBeLessThan(200);
  });

  it('passes on changes when it starts while the clock is behind', async () => {
    const world = aStore();
    world.pass(60_000);
    world.write('of a clock that was ahead');
    world.store.time -= 60_000;
    await world.tail.poll();
    world.pass(500);
    world.write('now');
    await world.tail.poll();
    expect(world.seen.has('now')).toBe(true);
  });

  it('starts over from the time of a change of the primary', async () => {
    const world = aStore();
    world.write('first');
    await world.tail.poll();
    const restore = setElapsed(performance.now() + 60_000);
    try {
      await world.tail.poll();
      // Written by the former primary, and replicated to the new one only now.
      world.documents.set('late', { _id: 'late', version: 1, changedAt: new Date(NOW - 5_000) });
      await world.tail.poll();
      expect(world.seen.has('late')).toBe(false);
      world.store.primary = 'second';
      world.pass(2_000);
      await world.tail.poll();
      expect(world.seen.has('late')).toBe(true);
    } finally {
      restore();
    }
  });

  it('reads no more than the newest millisecond while nothing changes', async () => {
    const world = aStore();
    for (let change = 0; change < 100; change++) {
      world.write(`${change}`);
      world.pass(10);
    }
    await world.tail.poll();
    world.pass(1_000);
    const restore = setElapsed(performance.now() + 60_000);
    try {
      // What has become visible since the poll before may be as much older as ever.
      await world.tail.poll();
      expect(world.store.read).toBe(200);
      world.store.read = 0;
      await world.tail.poll();
    } finally {
      restore();
    }
    expect(world.store.read).toBe(1);
  });

  it('corrects by a reading of all documents what no poll has found', async () => {
    const world = aStore({ pageSize: 2 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) world.write(id);
    await world.tail.poll();
    world.documents.set('missed', { _id: 'missed', version: 7, changedAt: new Date(0) });
    await world.tail.poll();
    expect(world.seen.has('missed')).toBe(false);
    await world.tail.reread();
    expect(world.seen.get('missed')).toBe(7);
    expect(world.rereads).toEqual([]);
  });

  it('passes on what becomes visible late, however long ago the last poll was', async () => {
    const world = aStore();
    world.write('first');
    await world.tail.poll();
    const late = new Date(world.store.time - 9_000);
    world.pass(8_000);
    const restore = setElapsed(performance.now() + 8_000);
    try {
      world.documents.set('late', { _id: 'late', version: 1, changedAt: late });
      await world.tail.poll();
    } finally {
      restore();
    }
    expect(world.seen.has('late')).toBe(true);
  });

  describe('in the course of time', () => {
    const MINUTE_MS = 60_000;
    beforeEach(() => void jest.useFakeTimers({ now: NOW }));
    afterEach(() => void jest.useRealTimers());

    const aStarted = async () => {
      const world = aStore({ fromNow: true });
      await world.tail.start();
      world.others().resumed();
      const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
      await pass(1_000);
      const pollsIn = async (ms: number) => {
        const before = world.store.polls;
        await pass(ms);
        return world.store.polls - before;
      };
      return { world, pass, pollsIn };
    };

    it('polls every 2 s while nobody tells of a write', async () => {
      const { world, pollsIn } = await aStarted();
      expect(await pollsIn(MINUTE_MS)).toBe(30);
      await world.tail.stop();
    });

    it('polls at once when another replica has written, and not more than 5 times a second', async () => {
      const { world, pass, pollsIn } = await aStarted();
      world.write('of another');
      world.others().changed();
      await pass(1);
      expect(world.seen.has('of another')).toBe(true);
      let polls = 0;
      for (let turn = 0; turn < 100; turn += 1) {
        world.others().changed();
        polls += await pollsIn(10);
      }
      expect(polls).toBe(5);
      await pass(200);
      expect(await pollsIn(MINUTE_MS)).toBeLessThanOrEqual(30);
      await world.tail.stop();
    });

    it('polls every 200 ms while others cannot tell', async () => {
      const { world, pollsIn } = await aStarted();
      world.others().lost();
      expect(await pollsIn(1_000)).toBeGreaterThanOrEqual(5);
      expect(await pollsIn(MINUTE_MS)).toBe(300);
      world.others().resumed();
      await pollsIn(1_000);
      expect(await pollsIn(MINUTE_MS)).toBe(30);
      await world.tail.stop();
    });

    it('polls every 200 ms while the store fails, and is not current from a second on', async () => {
      const { world, pass, pollsIn } = await aStarted();
      expect(world.tail.isCurrent()).toBe(true);
      world.store.away = true;
      await pass(2_000);
      expect(world.tail.isCurrent()).toBe(true);
      expect(await pollsIn(1_000)).toBe(5);
      expect(world.tail.isCurrent()).toBe(false);
      world.store.away = false;
      await pass(200);
      expect(world.tail.isCurrent()).toBe(true);
      await world.tail.stop();
    });
  });

  describe('of a store that answers late', () => {
    beforeEach(() => void jest.useFakeTimers({ now: NOW }));
    afterEach(() => void jest.useRealTimers());

    it('starts whatever time the first reading takes', async () => {
      const world = aStore();
      let answer!: () => void;
      world.store.held = new Promise((resolve) => (answer = resolve));
      world.write('a');
      const started = world.tail.start();
      await jest.advanceTimersByTimeAsync(120_000);
      answer();
      await started;
      expect([...world.seen.keys()]).toEqual(['a']);
      await world.tail.stop();
    });

    it('does not take over from a reading that was given up what is older than what it knows', async () => {
      const world = aStore();
      await world.tail.poll();
      world.write('a');
      let answer!: () => void;
      world.store.held = new Promise((resolve) => (answer = resolve));
      const late = world.tail.poll().catch((error: unknown) => String(error));
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await late).toContain('took longer than 60000 ms');
      expect(() => world.tail.assertFresh()).toThrow('not being followed');
      world.store.held = Promise.resolve();
      await world.tail.poll();
      world.tail.assertFresh();
      answer();
      await jest.advanceTimersByTimeAsync(0);
      world.tail.assertFresh();
      world.pass(1_000);
      world.write('b');
      await world.tail.poll();
      expect([...world.seen.keys()]).toEqual(['a', 'b']);
    });
  });

  it('leaves to its owner what to read again, when it starts with the newest change', async () => {
    const world = aStore({ fromNow: true });
    world.write('old');
    world.pass(60_000);
    world.write('newest');
    await world.tail.start();
    try {
      expect([...world.seen.keys()]).toEqual(['newest']);
      expect(world.rereads).toEqual([0]);
      await world.tail.reread();
      expect(world.rereads).toEqual([0, 1]);
    } finally {
      await world.tail.stop();
    }
  });
});

/** Sets this process's monotonic clock; returns what restores it. */
function setElapsed(ms: number): () => void {
  const { now } = performance;
  performance.now = () => ms;
  return () => (performance.now = now);
}
