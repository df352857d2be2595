import { ManualClock } from '../../testing/manual-clock.js';
import { KeyWindows } from './key-windows.js';

const WINDOW_MS = 10_000;

describe('windows of keys', () => {
  it('sum what is added to each key from the first amount until they end', () => {
    const clock = new ManualClock();
    const windows = new KeyWindows(clock, 10);
    expect(windows.secondsBeyond('ana', 0)).toBeUndefined();
    const endsAt = clock.now() + WINDOW_MS;
    windows.add('ana', 2, WINDOW_MS);
    clock.advance(WINDOW_MS - 1);
    expect(windows.add('ana', 3, WINDOW_MS)).toEqual({ sum: 5, endsAt });
    expect(windows.add('ben', 1, WINDOW_MS).sum).toBe(1);
    clock.advance(1);
    expect(windows.secondsBeyond('ana', 0)).toBeUndefined();
    expect(windows.add('ana', 4, WINDOW_MS)).toEqual({ sum: 4, endsAt: endsAt + WINDOW_MS });
  });

  it('tell in how many seconds one ends that has reached a limit', () => {
    const clock = new ManualClock();
    const windows = new KeyWindows(clock, 10);
    expect(windows.secondsBeyond('ana', 5)).toBeUndefined();
    windows.add('ana', 4, WINDOW_MS);
    expect(windows.secondsBeyond('ana', 5)).toBeUndefined();
    windows.add('ana', 1, WINDOW_MS);
    expect(windows.secondsBeyond('ana', 5)).toBe(10);
    clock.advance(WINDOW_MS - 1);
    expect(windows.secondsBeyond('ana', 5)).toBe(1);
    clock.advance(1);
    expect(windows.secondsBeyond('ana', 5)).toBeUndefined();
  });

  it('forget the key that was not used for the longest time', () => {
    const windows = new KeyWindows(new ManualClock(), 2);
    for (const key of ['ana', 'ben', 'cleo']) windows.add(key, 1, WINDOW_MS);
    expect(['ana', 'ben', 'cleo'].map((key) => windows.secondsBeyond(key, 1))).toEqual([undefined, 10, 10]);
  });
});
