import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { aPost, aProfile } from '../../../test/a-post.js';
import { aSubscription } from '../../../test/a-subscription.js';
import { comeBack } from '../../../test/come-back.js';
import { fakeGateway, problem } from '../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../test/fake-gateway.js';
import { aPageAround } from '../../../test/render.js';
import { hasCode } from '../../server/http/api-error.js';
import { queryKey, queryKeys } from '../../server/queries/query-keys.js';
import type { Config, OwnSubscription, Post, Profile } from '../../api/types.js';
import { useFeed } from '../../features/posts/api/get-feed.js';
import { useChangeSubscription } from './change-subscription.js';
import { forgetCheckout, hasNotedCheckout } from './checkout-note.js';
import { CHANGED } from './subscription-list.js';
import { FREE } from './subscription.js';
import type { SubscriptionPages } from './subscription-list.js';

const PUT = 'PUT /api/subscriptions/coach';
const DELETE = 'DELETE /api/subscriptions/coach';
const { stats, viewer } = aProfile();
const coach = (
  subscribed: boolean,
  subscribers: number,
  subscription: OwnSubscription | null = subscribed ? FREE : null,
) => aProfile({ stats: { ...stats, subscribers }, viewer: { ...viewer!, subscribed, subscription } });
const PAID: OwnSubscription = { ...FREE, paid: { amount: 400, currency: 'MXN' } };
const END = '2099-01-01T00:00:00.000Z';
const ENDING: OwnSubscription = { ...PAID, cancelAtPeriodEnd: true, accessUntil: END };

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => localStorage.removeItem(CHANGED));

/** A cache with the coach and the viewer's subscriptions, and two buttons for the same coach. */
function aPageOf(known: Profile, list = [aSubscription()]) {
  const { queryClient, wrapper } = aPageAround();
  const pages: SubscriptionPages = {
    pages: [{ items: list, nextCursor: null }],
    pageParams: [undefined],
  };
  queryClient.setQueryData(queryKeys.profiles.byId('coach'), known);
  queryClient.setQueryData(queryKeys.subscriptions, pages);
  const outcome = { onDone: jest.fn(), onFailed: jest.fn() };
  const { result } = renderHook(
    () => [useChangeSubscription(known, outcome), useChangeSubscription(known, outcome)] as const,
    { wrapper },
  );
  const profile = () => queryClient.getQueryData<Profile>(queryKeys.profiles.byId('coach'))!;
  return {
    ...outcome,
    queryClient,
    press: (subscribed: boolean, button = 0) =>
      act(() => result.current[button]!.change(subscribed ? 'subscribe' : 'unsubscribe')),
    busy: () => result.current.map(({ busy }) => busy),
    resume: () => act(() => result.current[0].change('resume')),
    shown: () => [profile().viewer?.subscribed, profile().stats.subscribers],
    own: () => profile().viewer?.subscription,
    listed: () =>
      queryClient
        .getQueryData<SubscriptionPages>(queryKeys.subscriptions)!
        .pages.flatMap(({ items }) => items.map(({ id }) => id)),
  };
}

// Rule: SUBS-11
describe('subscribing', () => {
  it('shows at once, then believes the server’s count', async () => {
    let answer: (value: unknown) => void = () => undefined;
    gateway.on(PUT, () => new Promise((resolve) => (answer = resolve)));
    const page = aPageOf(coach(false, 7));
    page.press(true);
    await waitFor(() => expect(page.shown()).toEqual([true, 8]));
    answer(aSubscription({ coach: coach(true, 12) }));
    await waitFor(() => expect(page.shown()).toEqual([true, 12]));
    await waitFor(() => expect(page.onDone.mock.calls).toEqual([['subscribe']]));
    expect(localStorage.getItem(CHANGED)).not.toBeNull();
  });

  it('is taken back and told when it fails', async () => {
    gateway.on(PUT, () => problem(500, 'internal'));
    const page = aPageOf(coach(false, 7));
    page.press(true);
    await waitFor(() => expect(page.onFailed).toHaveBeenCalledTimes(1));
    expect(page.onFailed.mock.calls[0]?.[1]).toBe('subscribe');
    expect(page.shown()).toEqual([false, 7]);
    expect(localStorage.getItem(CHANGED)).toBeNull();
  });

  // Rule: SUBS-10
  it('is one call, however often and at whichever button it is pressed', async () => {
    let answer: (value: unknown) => void = () => undefined;
    gateway.on(PUT, () => new Promise((resolve) => (answer = resolve)));
    const page = aPageOf(coach(false, 7));
    page.press(true);
    page.press(true);
    page.press(true, 1);
    await waitFor(() => expect(page.busy()).toEqual([true, true]));
    expect(page.shown()).toEqual([true, 8]);
    answer(aSubscription({ coach: coach(true, 8) }));
    await waitFor(() => expect(page.busy()).toEqual([false, false]));
    expect(gateway.calls.filter((call) => call === PUT)).toHaveLength(1);
  });
});

// Rule: SUBS-14
describe('subscribing where it has to be paid', () => {
  const CHECKOUT = 'POST /api/stripe/checkout/create';
  const priced = aProfile({ ...coach(false, 7), subscriptionPrice: 400, subscriptionCurrency: 'MXN' });
  let asked: unknown;

  beforeEach(() => {
    asked = undefined;
    history.replaceState(null, '', '/coach?tab=reviews');
    gateway.on(PUT, () => problem(402, 'payment-required'));
    gateway.on(CHECKOUT, async (request) => {
      asked = await request.json();
      return { url: '#provider' };
    });
  });
  afterEach(() => {
    forgetCheckout();
    history.replaceState(null, '', '/');
  });

  it('leads to the provider’s page, once, and says nothing before', async () => {
    const page = aPageOf(priced);
    page.press(true);
    page.press(true, 1);
    await waitFor(() => expect(location.hash).toBe('#provider'));
    page.press(true);
    expect(page.busy()).toEqual([true, true]);
    expect(page.shown()).toEqual([false, 7]);
    expect(asked).toEqual({
      coachUid: 'coach',
      success_url: `${location.origin}/coach?tab=reviews&checkout=done&coach=coach`,
      cancel_url: `${location.origin}/coach?tab=reviews&checkout=cancelled&coach=coach`,
    });
    expect(gateway.calls).toEqual(['GET /api/config', PUT, CHECKOUT]);
    expect(hasNotedCheckout('coach')).toBe(true);
    expect([page.onDone.mock.calls, page.onFailed.mock.calls]).toEqual([[], []]);
    comeBack();
    await waitFor(() => expect(page.busy()).toEqual([false, false]));
  });

  it('takes back what it has shown of a coach who asked nothing before', async () => {
    const page = aPageOf(coach(false, 7));
    page.press(true);
    await waitFor(() => expect(location.hash).toBe('#provider'));
    comeBack();
    await waitFor(() => expect(page.busy()).toEqual([false, false]));
    expect(page.shown()).toEqual([false, 7]);
  });

  it('is there already where it was paid in another tab', async () => {
    gateway.on(CHECKOUT, () => {
      gateway.on(PUT, () => aSubscription({ coach: coach(true, 8) }));
      return problem(409, 'conflict');
    });
    const page = aPageOf(priced);
    page.press(true);
    await waitFor(() => expect(page.onDone.mock.calls).toEqual([['subscribe']]));
    expect(page.shown()).toEqual([true, 8]);
    expect(gateway.calls.filter((call) => call === PUT)).toHaveLength(2);
    expect(location.hash).toBe('');
  });

  it('asks first whether payments are taken, and then leads there at once', async () => {
    gateway.on('GET /api/config', () => ({ payments: 'stripe' }));
    const page = aPageOf(priced);
    page.press(true);
    await waitFor(() => expect(location.hash).toBe('#provider'));
    expect(gateway.calls).toEqual(['GET /api/config', CHECKOUT]);
    comeBack();
    await waitFor(() => expect(page.busy()).toEqual([false, false]));
  });

  describe('and that is known beforehand', () => {
    const known = (payments: Config['payments']) => {
      const page = aPageOf(priced);
      page.queryClient.setQueryData(queryKey('config'), { payments });
      return page;
    };

    it('leads to the provider’s page at once', async () => {
      const page = known('stripe');
      page.press(true);
      await waitFor(() => expect(location.hash).toBe('#provider'));
      expect(gateway.calls).toEqual([CHECKOUT]);
      comeBack();
      await waitFor(() => expect(page.busy()).toEqual([false, false]));
    });

    it.each([
      [409, 'conflict', 'it is paid already'],
      [422, 'unprocessable', 'the coach asks nothing any more'],
    ])('is there without it (%s %s): %s', async (status, code) => {
      gateway.on(CHECKOUT, () => problem(status, code));
      gateway.on(PUT, () => aSubscription({ coach: coach(true, 8, PAID) }));
      const page = known('stripe');
      page.press(true);
      await waitFor(() => expect(page.onDone.mock.calls).toEqual([['subscribe']]));
      expect(gateway.calls.slice(0, 2)).toEqual([CHECKOUT, PUT]);
      expect([page.shown(), page.own(), location.hash]).toEqual([[true, 8], PAID, '']);
    });

    it('asks for nothing of the provider where nobody takes payments', async () => {
      gateway.on(PUT, () => aSubscription({ coach: coach(true, 8) }));
      const page = known('none');
      page.press(true);
      await waitFor(() => expect(page.onDone.mock.calls).toEqual([['subscribe']]));
      expect(gateway.calls).not.toContain(CHECKOUT);
    });
  });

  it('is told where the page was not opened, and nothing is noted', async () => {
    gateway.on(CHECKOUT, () => problem(422, 'coach-not-ready'));
    const page = aPageOf(priced);
    page.press(true);
    await waitFor(() => expect(page.onFailed).toHaveBeenCalledTimes(1));
    expect(hasCode(page.onFailed.mock.calls[0]?.[0], 'coach-not-ready')).toBe(true);
    expect(hasNotedCheckout('coach')).toBe(false);
    await waitFor(() => expect(page.busy()).toEqual([false, false]));
  });
});

// Rule: SUBS-11
describe('unsubscribing', () => {
  it('takes a free subscription from the list at once, and puts it back when it fails', async () => {
    let answer: (value: unknown) => void = () => undefined;
    gateway.on(DELETE, () => new Promise((resolve) => (answer = resolve)));
    const page = aPageOf(coach(true, 1));
    page.press(false);
    await waitFor(() => expect(page.listed()).toEqual([]));
    expect(page.shown()).toEqual([false, 0]);
    answer(problem(500, 'internal'));
    await waitFor(() => expect(page.listed()).toEqual(['s1']));
    expect(page.shown()).toEqual([true, 1]);
  });

  it('shows a paid one as it was until the server has said until when it runs', async () => {
    let answer: (value: unknown) => void = () => undefined;
    gateway.on(DELETE, () => new Promise((resolve) => (answer = resolve)));
    const page = aPageOf(coach(true, 1, PAID), [aSubscription({ currentPeriodEnd: END })]);
    page.press(false);
    await waitFor(() => expect(page.busy()).toEqual([true, true]));
    expect([page.shown(), page.own(), page.listed()]).toEqual([[true, 1], PAID, ['s1']]);
    answer(
      aSubscription({
        coach: coach(true, 1, ENDING),
        cancelAtPeriodEnd: true,
        accessUntil: END,
        currentPeriodEnd: END,
      }),
    );
    await waitFor(() => expect(page.onDone.mock.calls).toEqual([['unsubscribe']]));
    expect([page.shown(), page.own(), page.listed()]).toEqual([[true, 1], ENDING, ['s1']]);
  });
});

// Rule: SUBS-11
describe('resuming', () => {
  it('lets a paid one go on, without the provider’s page', async () => {
    gateway.on(PUT, () => aSubscription({ coach: coach(true, 3, PAID), currentPeriodEnd: END }));
    const page = aPageOf({ ...coach(true, 3, ENDING), subscriptionPrice: 500, subscriptionCurrency: 'MXN' });
    page.resume();
    await waitFor(() => expect(page.onDone.mock.calls).toEqual([['resume']]));
    expect([page.shown(), page.own()]).toEqual([[true, 3], PAID]);
    expect(gateway.calls.filter((call) => !call.startsWith('GET'))).toEqual([PUT]);
  });

  it('of one that has ended meanwhile fails, and does not lead to the provider’s page', async () => {
    gateway.on(PUT, () => problem(402, 'payment-required'));
    const page = aPageOf({ ...coach(true, 3, ENDING), subscriptionPrice: 500, subscriptionCurrency: 'MXN' });
    page.resume();
    await waitFor(() => expect(page.onFailed.mock.calls).toEqual([[expect.anything(), 'resume']]));
    expect(gateway.calls).toEqual([PUT]);
    expect(page.own()).toEqual(ENDING);
  });
});

// Rule: SUBS-25, POST-6
describe('in the feed', () => {
  const author = { ...aPost().author, id: 'coach', isCoach: true };
  const locked = aPost({ id: 'secret', author, locked: true, content: 'The first' });

  function aFeedOf(items: Post[]) {
    gateway.on('GET /api/feed', () => ({ items, nextCursor: null }));
    const { wrapper } = aPageAround();
    const { result } = renderHook(
      () => ({
        feed: useFeed(),
        button: useChangeSubscription(author, { onDone: () => undefined, onFailed: () => undefined }),
      }),
      { wrapper },
    );
    return { result, posts: () => result.current.feed.posts?.map(({ id, content }) => `${id}: ${content}`) };
  }

  it('the coach’s locked posts open where they stand, and the others are not asked for', async () => {
    gateway.on(PUT, () => aSubscription());
    gateway.on('GET /api/posts/secret', () => ({ ...locked, locked: false, content: 'The whole text' }));
    const page = aFeedOf([aPost({ content: 'Above' }), locked]);
    await waitFor(() => expect(page.posts()).toEqual(['p1: Above', 'secret: The first']));
    act(() => page.result.current.button.change('subscribe'));
    await waitFor(() => expect(page.posts()).toEqual(['p1: Above', 'secret: The whole text']));
    expect(gateway.calls).toEqual(['GET /api/feed', PUT, 'GET /api/posts/secret']);
  });

  it('they lock again: the feed is read as a whole', async () => {
    const feed = [aPost({ content: 'Above' }), { ...locked, locked: false }];
    gateway.on(DELETE, () => aSubscription({ status: 'cancelled', coach: coach(false, 0) }));
    const page = aFeedOf(feed);
    await waitFor(() => expect(page.posts()).toHaveLength(2));
    gateway.on('GET /api/feed', () => ({ items: [feed[0]], nextCursor: null }));
    act(() => page.result.current.button.change('unsubscribe'));
    await waitFor(() => expect(page.posts()).toEqual(['p1: Above']));
  });
});
