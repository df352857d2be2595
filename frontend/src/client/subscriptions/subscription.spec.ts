import { describe, expect, it } from '@jest/globals';
import { aProfile } from '../../../test/a-post.js';
import { aSubscription } from '../../../test/a-subscription.js';
import { givesAccess, withSubscribed } from './subscription.js';

const NOW = Date.parse('2026-11-24T12:00:00.000Z');
const AHEAD = '2026-11-25T12:00:00.000Z';
const OVER = '2026-11-23T12:00:00.000Z';

// Rule: SUBS-9
describe('access', () => {
  it.each([
    ['active', null, true],
    ['active', AHEAD, true],
    ['active', OVER, false],
    ['past_due', AHEAD, true],
    ['past_due', OVER, false],
    ['cancelled', AHEAD, true],
    ['cancelled', OVER, false],
    ['cancelled', null, false],
    ['incomplete', null, false],
  ] as const)('of one that is %s until %s: %s', (status, accessUntil, expected) =>
    expect(givesAccess(aSubscription({ status, accessUntil }), NOW)).toBe(expected),
  );
});

// Rule: SUBS-11
describe('the subscriber count', () => {
  const { stats, viewer } = aProfile();
  const coach = (subscribers: number | null, subscribed: boolean) =>
    aProfile({ stats: { ...stats, subscribers }, viewer: { ...viewer!, subscribed } });
  const after = (subscribers: number | null, was: boolean, is: boolean) =>
    withSubscribed(coach(subscribers, was), is).stats.subscribers;

  it('changes by one, once, and never below 0', () => {
    expect(after(7, false, true)).toBe(8);
    expect(after(7, true, true)).toBe(7);
    expect(after(7, true, false)).toBe(6);
    expect(after(0, true, false)).toBe(0);
  });

  it('stays unknown while it is not known', () => expect(after(null, false, true)).toBeNull());
});
