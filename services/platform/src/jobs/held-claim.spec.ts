import { jest } from '@jest/globals';
import type { Logger } from '../logging/logger.js';
import { ClaimLost, HeldClaim } from './held-claim.js';

const EVERY_MS = 1_000;

interface Renewal {
  answer(isKept: boolean): void;
  fail(error: Error): void;
}

describe('a held claim', () => {
  let renewals: Renewal[];
  let logged: unknown[];
  const logger = { warn: (...line: unknown[]) => logged.push(line) } as unknown as Logger;
  const hold = () =>
    new HeldClaim({
      renew: () =>
        new Promise((resolve, reject) => {
          renewals.push({ answer: resolve, fail: reject });
        }),
      everyMs: EVERY_MS,
      logger,
      failure: 'the claim of a row could not be renewed',
      about: { row: 7 },
    });
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

  beforeEach(() => {
    [renewals, logged] = [[], []];
    jest.useFakeTimers();
  });
  afterEach(() => jest.useRealTimers());

  it('is renewed again and again, until its end', async () => {
    const held = hold();
    await pass(EVERY_MS - 1);
    expect(renewals).toHaveLength(0);
    await pass(1);
    for (const count of [1, 2, 3]) {
      expect(renewals).toHaveLength(count);
      renewals.at(-1)!.answer(true);
      await pass(EVERY_MS);
    }
    renewals.at(-1)!.answer(true);
    await held.end();
    await held.end();
    await pass(10 * EVERY_MS);
    expect(renewals).toHaveLength(4);
    expect(held.lost.aborted).toBe(false);
  });

  it('is not renewed a second time while a renewal hangs, and then goes on', async () => {
    const held = hold();
    await pass(5 * EVERY_MS);
    expect(renewals).toHaveLength(1);
    renewals[0]!.answer(true);
    await pass(EVERY_MS);
    expect(renewals).toHaveLength(2);
    renewals[1]!.answer(true);
    await held.end();
  });

  it('ends after a renewal under way, which still tells a loss', async () => {
    const held = hold();
    await pass(EVERY_MS);
    const ended: string[] = [];
    const end = held.end().then(() => ended.push('ended'));
    await pass(EVERY_MS);
    expect(ended).toEqual([]);
    renewals[0]!.answer(false);
    await end;
    expect(held.lost.aborted).toBe(true);
  });

  it('aborts when it is lost', async () => {
    const held = hold();
    await pass(EVERY_MS);
    expect(held.lost.aborted).toBe(false);
    renewals[0]!.answer(false);
    await pass(0);
    expect(held.lost.reason).toBeInstanceOf(ClaimLost);
    expect(logged).toEqual([]);
    await held.end();
  });

  it('stays while renewals fail, which it logs', async () => {
    const held = hold();
    const error = new Error('the store is away');
    await pass(EVERY_MS);
    renewals[0]!.fail(error);
    await pass(EVERY_MS);
    expect(renewals).toHaveLength(2);
    expect(logged).toEqual([[{ err: error, row: 7 }, 'the claim of a row could not be renewed']]);
    renewals[1]!.answer(true);
    await held.end();
    expect(held.lost.aborted).toBe(false);
  });
});
