import { jest } from '@jest/globals';
import { createLogger } from '@pulso/platform/logging/logger';
import { Registry } from 'prom-client';
import { HideComments } from './hide-comments.job.js';

const HOUR = 60 * 60_000;
const PAGE = Array.from({ length: 500 }, (_, index) => ({ _id: `c-${index}`, authorHidden: true }));

describe('HideComments', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('looks through an author again whose comments took longer than its limit', async () => {
    const read: [string, string][] = [];
    let answer = (_page: typeof PAGE) => undefined as void;
    let suspend = (_userId: string) => undefined as void;
    const job = new HideComments(
      {
        listMarks: (author: string, after: string) => {
          read.push([author, after]);
          return new Promise((resolve) => (answer = resolve));
        },
        nextMarkedAuthor: async () => undefined,
      } as never,
      { findOne: async () => ({ status: 'suspended' }) } as never,
      { onSuspension: (listener: typeof suspend) => (suspend = listener) } as never,
      { onHiding: () => undefined } as never,
      createLogger({ service: 'test', level: 'silent' }),
      new Registry(),
    );
    job.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(0);
    suspend('ana');
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(read).toEqual([['ana', '']]);
    answer(PAGE);
    await jest.advanceTimersByTimeAsync(HOUR / 6);
    expect(read).toEqual([
      ['ana', ''],
      ['ana', ''],
    ]);
    answer(PAGE.slice(1));
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(read).toHaveLength(2);
    await job.onModuleDestroy();
  });
});
