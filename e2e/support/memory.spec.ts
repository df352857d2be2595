import { Dice } from '@pulso/platform/testing/seeded';
import { type HandledEvents, lagP99 } from './event-lag.js';
import { memoryOf, trendOf } from './memory.js';

describe('the trend of memory', () => {
  const samples = (mibPerMinute: number) => {
    const dice = new Dice(7);
    return Array.from({ length: 300 }, (_, index) => {
      const minute = index / 6;
      return { minute, mib: 200 + minute * mibPerMinute + 10 * (dice.next() - 0.5) };
    });
  };

  it('is flat where values only vary', () => {
    const trend = trendOf(samples(0));
    expect(trend.flat).toBe(true);
    expect(Math.abs(trend.growthMib)).toBeLessThan(1);
    expect(trend.noiseMib).toBeGreaterThan(2);
  });

  it('shows a leak of 1 KiB an event at 20 events a second', () => {
    const trend = trendOf(samples((20 * 60) / 1024));
    expect(trend.flat).toBe(false);
    expect(trend.mibPerHour).toBeCloseTo(70, -1);
  });

  it('is of real processes', () => {
    const { rss, pss } = memoryOf(process.pid);
    expect(pss).toBeGreaterThan(10);
    expect(rss).toBeGreaterThanOrEqual(pss);
  });
});

describe('the lag of consumers', () => {
  const seen = (fast: number, all: number): HandledEvents =>
    new Map([
      [
        'posts.user',
        new Map([
          [0.1, fast],
          [0.25, all],
          [Infinity, all],
        ]),
      ],
    ]);

  it('is of the events between two observations', () => {
    expect(lagP99(seen(0, 500), seen(100, 600)).get('posts.user')).toEqual({ count: 100, p99: 0.1 });
    expect(lagP99(seen(0, 0), seen(98, 100)).get('posts.user')).toEqual({ count: 100, p99: 0.25 });
    expect(lagP99(seen(9, 9), seen(9, 9)).size).toBe(0);
  });
});
