import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError, NetworkError } from '../http/api-error.js';
import { RetryLimitError, untilSent } from './retry-upload.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const refused = (status: number) => new ApiError(status, 'refused', undefined);
const outcome = (sending: Promise<unknown>) => sending.then(String, (error: unknown) => error);

// Rule: MEDIA-9
describe('an upload that fails', () => {
  it.each([refused(408), refused(429), refused(500), refused(503), new NetworkError('no answer')])(
    'with %p is tried again',
    async (failure) => {
      const tries = [failure, failure];
      const send = async () => {
        const next = tries.pop();
        if (next) throw next;
        return 'sent';
      };
      const sent = outcome(untilSent({ send, accepted: () => 0, signal: new AbortController().signal }));
      await jest.advanceTimersByTimeAsync(10_000);
      expect(await sent).toBe('sent');
    },
  );

  it.each([400, 403, 404, 413, 422])('with %i is not', async (status) => {
    let tries = 0;
    const send = async () => {
      tries += 1;
      throw refused(status);
    };
    const failure = await outcome(
      untilSent({ send, accepted: () => 0, signal: new AbortController().signal }),
    );
    expect({ failure, tries }).toMatchObject({ failure: { status }, tries: 1 });
  });

  /** Tries until it gives up, each time with `more` bytes more on the server. */
  async function giveUp(more: number) {
    const began = Date.now();
    let there = 0;
    let tries = 0;
    const send = async () => {
      tries += 1;
      there += more;
      throw refused(503);
    };
    const sent = outcome(untilSent({ send, accepted: () => there, signal: new AbortController().signal }));
    await jest.advanceTimersByTimeAsync(1_200_000);
    const failure = await sent;
    return { failure, tries, began };
  }

  it('is given up once nothing has arrived for 120 s', async () => {
    const { failure, tries } = await giveUp(0);
    expect(failure).toBeInstanceOf(RetryLimitError);
    expect(failure).toMatchObject({ cause: { status: 503 } });
    // 1 s, 2 s, 4 s, … 30 s, of which up to a half is left out.
    expect(tries).toBeGreaterThan(7);
    expect(tries).toBeLessThan(16);
  });

  it('goes on as long as bytes arrive, for 600 s of waiting in all', async () => {
    const { failure, tries } = await giveUp(1000);
    expect(failure).toBeInstanceOf(RetryLimitError);
    // Each wait is at most a second then.
    expect(tries).toBeGreaterThan(600);
  });

  it('ends with its signal while it waits', async () => {
    const over = new AbortController();
    const send = () => Promise.reject(refused(503));
    const sent = outcome(untilSent({ send, accepted: () => 0, signal: over.signal }));
    await jest.advanceTimersByTimeAsync(100);
    over.abort(new Error('paused'));
    expect(await sent).toMatchObject({ message: 'paused' });
  });
});
