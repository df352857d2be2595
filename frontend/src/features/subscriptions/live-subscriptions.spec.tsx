import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { aMessage } from '../../../test/a-conversation.js';
import { aMe, aProfile, aSession } from '../../../test/a-post.js';
import { aDashboard, aSubscription } from '../../../test/a-subscription.js';
import { fakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import type { Profile, Subscription } from '../../api/types.js';
import { emitLive } from '../../server/live/live-events.js';
import { session } from '../../server/session/session.js';
import { LiveSubscriptions } from './live-subscriptions.js';

beforeEach(() => {
  fakeGateway();
  act(() => session.signIn(aSession('token')));
});
afterEach(() => act(() => session.forceSignOut()));

function aPage() {
  const { queryClient, wrapper } = aPageAround();
  const { posts, profiles, subscriptions, dashboard } = queryKeys;
  queryClient.setQueryData(profiles.byId('coach'), aProfile());
  queryClient.setQueryData(profiles.me, aMe({ isCoach: true }));
  queryClient.setQueryData<unknown>(posts.byUser('coach'), {});
  queryClient.setQueryData<unknown>(subscriptions, {});
  queryClient.setQueryData<unknown>(dashboard, aDashboard());
  render(<LiveSubscriptions />, { wrapper });
  return {
    coach: () => queryClient.getQueryData<Profile>(profiles.byId('coach'))!,
    isOwnStale: () => queryClient.getQueryState(profiles.me)!.isInvalidated,
    stale: () =>
      [posts.byUser('coach'), subscriptions, dashboard].map(
        (key) => queryClient.getQueryState(key)!.isInvalidated,
      ),
  };
}

const tell = (data: Subscription) => act(() => emitLive({ type: 'subscription', data }));

// Rule: NOTIF-11
describe('the event of a subscription', () => {
  it('of the viewer shows what has become of it elsewhere, and has the posts read again', () => {
    const page = aPage();
    tell(aSubscription());
    expect(page.coach()).toMatchObject({ viewer: { subscribed: true }, stats: { subscribers: 1 } });
    expect(page.stale()).toEqual([true, true, false]);
    const end = { cancelAtPeriodEnd: true, accessUntil: '2099-12-24T10:00:00.000Z' };
    tell(aSubscription(end));
    expect(page.coach()).toMatchObject({ viewer: { subscription: end }, stats: { subscribers: 1 } });
    tell(aSubscription({ status: 'cancelled', coach: aProfile() }));
    expect(page.coach()).toMatchObject({
      viewer: { subscribed: false, subscription: null },
      stats: { subscribers: 0 },
    });
  });

  // Rule: NOTIF-15
  it('to the viewer has the figures read again, and no message does', () => {
    const page = aPage();
    const event = { kind: 'subscription-started' as const, at: '2026-11-20T10:00:00.000Z' };
    act(() => emitLive({ type: 'message', data: aMessage({ type: 'system', event }) }));
    expect(page.stale()).toEqual([false, false, false]);
    expect(page.isOwnStale()).toBe(false);
    act(() => emitLive({ type: 'subscribers' }));
    expect(page.stale()).toEqual([false, false, true]);
    expect(page.isOwnStale()).toBe(true);
  });

  it('that may have been missed has both lists read again', () => {
    const page = aPage();
    act(() => emitLive({ type: 'reload' }));
    expect(page.stale()).toEqual([false, true, true]);
  });
});
