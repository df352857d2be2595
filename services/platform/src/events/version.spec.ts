import { ManualClock } from '../../testing/manual-clock.js';
import { nextVersion } from './version.js';

describe('nextVersion', () => {
  const clock = new ManualClock(1_700_000_000_000);

  it('is the time in microseconds', () => {
    expect(nextVersion(undefined, clock)).toBe(1_700_000_000_000_000);
    expect(nextVersion(5, clock)).toBe(1_700_000_000_000_000);
  });

  it('grows even if the clock stops or goes back', () => {
    const first = nextVersion(undefined, clock);
    const second = nextVersion(first, clock);
    expect(second).toBe(first + 1);
    expect(nextVersion(second, new ManualClock(1_000))).toBe(second + 1);
  });
});
