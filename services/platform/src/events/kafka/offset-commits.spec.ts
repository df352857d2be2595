import { jest } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../testing/until.js';
import { OffsetCommits } from './offset-commits.js';

const NEVER = 1_000_000;

describe('OffsetCommits', () => {
  /** A fake of one partition; `commits` lists the requests, `release` answers the waiting request. */
  function partition(retryMs: number) {
    const commits: string[] = [];
    const checks = { count: 0 };
    const answers: ((error?: Error) => void)[] = [];
    let [reached, committed] = [0, 0];
    const offsetCommits = new OffsetCommits({
      uncommitted: () => {
        checks.count += 1;
        const offset = reached;
        return {
          offsets: offset > committed ? [{ topic: 't', partition: 0, offset: `${offset}` }] : [],
          markCommitted: () => void (committed = offset),
        };
      },
      commit: ([{ offset } = { offset: '' }]) => {
        commits.push(offset);
        return new Promise((resolve, reject) => answers.push((error) => (error ? reject(error) : resolve())));
      },
      logger: pino({ level: 'silent' }),
      retryMs,
    });
    return {
      offsetCommits,
      commits,
      checks,
      advance: (to: number) => void (reached = to),
      answer: (error?: Error) => answers.shift()!(error),
    };
  }

  it('runs one request at a time, and commits later progress with the next one', async () => {
    const { offsetCommits, commits, advance, answer } = partition(NEVER);
    await offsetCommits.flush();
    advance(1);
    const first = offsetCommits.flush();
    advance(2);
    const second = offsetCommits.flush();
    advance(3);
    expect(commits).toEqual(['1']);
    answer();
    await until(() => commits.length === 2, { what: 'the second request' });
    answer();
    await Promise.all([first, second]);
    expect(commits).toEqual(['1', '3']);
    await offsetCommits.close();
  });

  it('retries a failed commit', async () => {
    const { offsetCommits, commits, advance, answer } = partition(1);
    advance(1);
    const flushed = offsetCommits.flush();
    answer(new Error('the coordinator moved'));
    await flushed;
    await until(() => commits.length === 2, { what: 'the commit to be tried again' });
    answer();
    await offsetCommits.close();
    expect(commits).toEqual(['1', '1']);
  });

  it('does nothing for a group without events', async () => {
    jest.useFakeTimers();
    try {
      const { offsetCommits, checks } = partition(1_000);
      await jest.advanceTimersByTimeAsync(50_000);
      expect(checks.count).toBe(0);
      await offsetCommits.close();
    } finally {
      jest.useRealTimers();
    }
  });

  it('goes on when a request is not answered, and does not fail its callers', async () => {
    jest.useFakeTimers();
    try {
      const { offsetCommits, commits, advance, answer } = partition(1_000);
      advance(1);
      const flushed = offsetCommits.flush();
      await jest.advanceTimersByTimeAsync(5 * 60_000);
      await flushed;
      await jest.advanceTimersByTimeAsync(1_000);
      expect(commits).toEqual(['1', '1']);
      for (let request = 0; request < 2; request += 1) answer();
      await offsetCommits.close();
    } finally {
      jest.useRealTimers();
    }
  });
});
