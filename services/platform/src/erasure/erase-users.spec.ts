import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { createLogger } from '../logging/logger.js';
import { systemClock } from '../time/clock.js';
import { EraseUsers } from './erase-users.job.js';
import type { DueErasure, ErasedUsers } from './erased-users.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const CLAIMED: DueErasure = { userId: 'ada', asked: 1, looks: 0, claimedUntil: 1 };
/** Longer than the time between two renewals, shorter than that of a claim. */
const LATER_MS = 30_000;

// Rule: ACCT-34
describe('the claim of an erasure', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Begins to erase a user, which goes on until `mayEnd` is called. `isKept`: whether renewals find the claim. */
  function begin({ isKept = true } = {}) {
    const [renewed, done]: [DueErasure[], [string, DueErasure][]] = [[], []];
    const due = [CLAIMED];
    let mayEnd!: () => void;
    const ending = new Promise<void>((resolve) => (mayEnd = resolve));
    let signal: AbortSignal | undefined;
    const users = {
      onMark: () => undefined,
      claim: () => Promise.resolve(due.pop()),
      renew(erasure: DueErasure) {
        renewed.push(erasure);
        const next = { ...erasure, claimedUntil: erasure.claimedUntil + 1 };
        return Promise.resolve(isKept ? next : undefined);
      },
      erased: (erasure: DueErasure) => Promise.resolve(void done.push(['erased', erasure])),
      postpone: (erasure: DueErasure) => Promise.resolve(void done.push(['postponed', erasure])),
    } as unknown as ErasedUsers;
    const eraser = {
      async erase(_userId: string, stopping: AbortSignal) {
        signal = stopping;
        await ending;
        stopping.throwIfAborted();
        return true;
      },
    };
    const erasing = new EraseUsers(users, eraser, systemClock, logger, new Registry()).execute();
    return { renewed, done, mayEnd, erasing, isStopped: () => signal!.aborted };
  }

  it('is renewed while a service erases, each time with the claim before; the last one ends it', async () => {
    const { renewed, done, mayEnd, erasing } = begin();
    for (const count of [1, 2, 3]) {
      await jest.advanceTimersByTimeAsync(LATER_MS);
      expect(renewed.length).toBeGreaterThanOrEqual(count);
    }
    mayEnd();
    await erasing;
    expect(renewed.map(({ claimedUntil }) => claimedUntil)).toEqual(renewed.map((_, index) => index + 1));
    expect(done).toEqual([['erased', { ...CLAIMED, claimedUntil: renewed.length + 1 }]]);
  });

  it('stops the work once it is lost, and acknowledges nothing', async () => {
    const { done, mayEnd, erasing, isStopped } = begin({ isKept: false });
    await jest.advanceTimersByTimeAsync(LATER_MS);
    expect(isStopped()).toBe(true);
    mayEnd();
    await erasing;
    expect(done).toEqual([['postponed', CLAIMED]]);
  });
});
