import { describe, expect, it } from '@jest/globals';
import { aProfile } from '../../../test/a-post.js';
import { aSubscription } from '../../../test/a-subscription.js';
import type { OwnSubscription, Subscription } from '../../api/types.js';
import { FREE, courseOf, isSubscribed, withSubscription } from './subscription.js';

// Rule: SUBS-9
describe('access', () => {
  const told = (subscribed: boolean, over: Partial<Subscription> = {}) => {
    const { viewer } = aProfile();
    return isSubscribed(aSubscription({ coach: aProfile({ viewer: { ...viewer!, subscribed } }), ...over }));
  };

  it('is what the server says of it, whatever its status and dates are', () => {
    expect(told(true)).toBe(true);
    expect(told(true, { status: 'cancelled', accessUntil: '2026-11-23T12:00:00.000Z' })).toBe(true);
    expect(told(false)).toBe(false);
    expect(told(false, { status: 'past_due' })).toBe(false);
  });

  it('there is none where the server says nothing of it', () =>
    expect(isSubscribed(aSubscription({ coach: aProfile({ viewer: null }) }))).toBe(false));
});

// Rule: SUBS-11
describe('the subscriber count', () => {
  const { stats, viewer } = aProfile();
  const coach = (subscribers: number | null, subscribed: boolean) =>
    aProfile({ stats: { ...stats, subscribers }, viewer: { ...viewer!, subscribed } });
  const after = (subscribers: number | null, was: boolean, is: boolean) =>
    withSubscription(coach(subscribers, was), is, is ? FREE : null).stats.subscribers;

  it('changes by one, once, and never below 0', () => {
    expect(after(7, false, true)).toBe(8);
    expect(after(7, true, true)).toBe(7);
    expect(after(7, true, false)).toBe(6);
    expect(after(0, true, false)).toBe(0);
  });

  it('stays unknown while it is not known', () => expect(after(null, false, true)).toBeNull());
});

// Rule: SUBS-23, SUBS-33
it.each<[string, Partial<OwnSubscription>]>([
  ['on', {}],
  ['ending', { cancelAtPeriodEnd: true }],
  ['unpaid', { status: 'past_due' }],
  ['ending', { status: 'past_due', cancelAtPeriodEnd: true }],
  ['ended', { status: 'cancelled' }],
  ['ended', { status: 'cancelled', cancelAtPeriodEnd: true }],
])('what comes of it is "%s" of %j', (course, over) => expect(courseOf({ ...FREE, ...over })).toBe(course));
