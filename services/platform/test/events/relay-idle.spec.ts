import { jest } from '@jest/globals';
import { relayHouse } from './relay-house.js';

const MINUTE_MS = 60_000;
const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

describe('a relay that nobody nudges', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const aHouse = () => {
    const { store, bus, relay } = relayHouse({ pollMs: undefined, now: () => performance.now() });
    return { store, bus, one: relay() };
  };

  it('reads its store at the start, and then every 5 s', async () => {
    const { store, one } = aHouse();
    one.start();
    await pass(MINUTE_MS);
    expect(store.readings).toHaveLength(1 + 12);
    await one.stop();
  });

  it('publishes what a replica that died has left by its next reading', async () => {
    const { store, bus, one } = aHouse();
    one.start();
    await pass(1);
    store.write('posts', 'left');
    await pass(4_998);
    expect(bus.published).toEqual([]);
    await pass(1);
    expect(bus.published).toEqual(['posts/left@1']);
    await one.stop();
  });

  it('tries again what it has set aside when that is due, and reads no more often for it', async () => {
    const { store, bus, one } = aHouse();
    bus.refuses = () => new Error('stuck');
    store.write('posts', 'stuck');
    one.start();
    const triedAt: number[] = [];
    const start = performance.now();
    for (let second = 0; second < 16; second += 1) {
      await pass(1_000);
      while (triedAt.length < bus.refused.length)
        triedAt.push(Math.floor((performance.now() - start) / 1_000));
    }
    // After pauses of 1, 2, 4 and 8 s; each attempt is seen at the end of its second.
    expect(triedAt).toEqual([1, 2, 4, 8, 16]);
    // Those five, and the regular readings whose pause no attempt has begun anew.
    expect(store.readings.length).toBeLessThanOrEqual(5 + 2);
    await one.stop();
  });
});
