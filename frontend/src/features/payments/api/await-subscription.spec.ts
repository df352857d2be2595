import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aProfile } from '../../../../test/a-post.js';
import { ApiError, NetworkError, SessionOverError } from '../../../server/http/api-error.js';
import type { Profile } from '../../../api/types.js';
import { awaitSubscription } from './await-subscription.js';

const coach = aProfile({ name: 'Cleo' });
const never = new Promise<Profile>(() => undefined);
const SECONDS = 1000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

// Rule: SUBS-14
describe('the wait for a subscription that was paid', () => {
  it('looks until it is there', async () => {
    const looks: (Profile | undefined)[] = [undefined, undefined, coach];
    const look = jest.fn(async () => looks.shift());
    const waiting = awaitSubscription(look, never);
    await jest.advanceTimersByTimeAsync(10 * SECONDS);
    expect(await waiting).toBe(coach);
    expect(look).toHaveBeenCalledTimes(3);
  });

  it('takes no answer and any refusal as not yet, and ends after some 20 s', async () => {
    const failures = [new NetworkError('no answer'), new ApiError(503, 'unavailable', undefined)];
    const look = jest.fn(async () => {
      throw failures.shift() ?? new ApiError(402, 'payment-required', undefined);
    });
    const waiting = awaitSubscription(look, never);
    let over = false;
    void waiting.then(() => (over = true));
    await jest.advanceTimersByTimeAsync(15 * SECONDS);
    expect(over).toBe(false);
    await jest.advanceTimersByTimeAsync(10 * SECONDS);
    expect(await waiting).toBeUndefined();
    expect(look.mock.calls.length).toBeGreaterThan(5);
  });

  it('ends with an event that tells of it, also while a look is under way', async () => {
    let tell: (coach: Profile) => void = () => undefined;
    const heard = new Promise<Profile>((resolve) => (tell = resolve));
    const waiting = awaitSubscription(() => new Promise(() => undefined), heard);
    tell(coach);
    expect(await waiting).toBe(coach);
  });

  it('ends with the session', async () => {
    const over = new SessionOverError('session over');
    const look = async () => {
      throw over;
    };
    await expect(awaitSubscription(look, never)).rejects.toBe(over);
  });
});
