import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { aPost, aProfile, aSession } from '../../../../test/a-post.js';
import { aSubscription } from '../../../../test/a-subscription.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { comeBack } from '../../../../test/come-back.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { OwnSubscription, Profile } from '../../../api/types.js';
import { FeedbackHost } from '../../../components/feedback/feedback-host.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { emitLive } from '../../../server/live/live-events.js';
import { session } from '../../../server/session/session.js';
import { FREE } from '../../../shared/subscribing/subscription.js';
import { DashboardLink } from './dashboard-link.js';
import { Paywall } from './paywall.js';
import { SubscribeButton } from './subscribe-button.js';
import { SubscribePanel } from './subscribe-panel.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  act(() => session.signIn(aSession('token')));
});
afterEach(() => {
  cleanup();
  act(() => session.forceSignOut());
  act(clearFeedback);
});

const { viewer, stats } = aProfile();
const coach = (over: Partial<Profile> = {}) =>
  aProfile({ name: 'Cleo', subscriptionPrice: 400, subscriptionCurrency: 'MXN', ...over });
const subscribed = (is: boolean | null) => ({
  viewer: { ...viewer!, subscribed: is, subscription: is ? FREE : null },
});
const END = '2099-12-24T10:00:00.000Z';
const of = (over: Partial<OwnSubscription>) => ({
  viewer: {
    ...viewer!,
    subscribed: true,
    subscription: { ...FREE, paid: { amount: 400, currency: 'MXN' as const }, ...over },
  },
});
const ENDING = { cancelAtPeriodEnd: true, accessUntil: END };

/** As a page shows it: from the cache. */
function show(profile: Profile) {
  const { queryClient, wrapper } = aPageAround();
  const queryKey = queryKeys.profiles.byId('coach');
  queryClient.setQueryData(queryKey, profile);
  function Page() {
    const { data } = useQuery({ queryKey, queryFn: () => profile, enabled: false });
    return <SubscribePanel coach={data!} mend={<button>Another card</button>} />;
  }
  render(
    <>
      <Page />
      <FeedbackHost />
    </>,
    { wrapper },
  );
  return queryClient;
}
const button = (name: string) => screen.findByRole('button', { name });
const confirmed = async () =>
  userEvent.click(
    within(await screen.findByRole('alertdialog', { name: 'Unsubscribe?' })).getByRole('button', {
      name: 'Unsubscribe',
    }),
  );
const told = () => getFeedback().toasts.map(({ message }) => message);

// Rule: SUBS-25
describe('on a coach’s profile', () => {
  it('the price stands beside Subscribe, and no price line where none is set', () => {
    show(coach());
    expect(screen.getByText('MX$400.00').parentElement?.textContent).toBe('MX$400.00 per month');
    expect(screen.getByText('Cancel anytime, No hidden fees')).toBeTruthy();
    cleanup();
    show(coach({ subscriptionPrice: null, subscriptionCurrency: null }));
    expect(screen.queryByText(/per month/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Subscribe' })).toBeTruthy();
  });

  it('Subscribe and Unsubscribe say what they did, and the button keeps the focus', async () => {
    gateway.on('PUT /api/subscriptions/coach', () => aSubscription({ coach: coach(subscribed(true)) }));
    gateway.on('DELETE /api/subscriptions/coach', () =>
      aSubscription({
        coach: coach(subscribed(false)),
        status: 'cancelled',
        accessUntil: '2026-11-20T10:00:00.000Z',
      }),
    );
    show(coach());
    await userEvent.click(await button('Subscribe'));
    await waitFor(() => expect(told()).toEqual(['You are now subscribed to Cleo!']));
    expect(screen.getByText('You are subscribed.')).toBeTruthy();
    await waitFor(async () => expect((await button('Unsubscribe')).getAttribute('aria-busy')).toBe('false'));
    expect(document.activeElement).toBe(await button('Unsubscribe'));
    await userEvent.click(await button('Unsubscribe'));
    await confirmed();
    await waitFor(() => expect(told()).toContain('You have successfully unsubscribed from Cleo.'));
    expect(screen.queryByText('You are subscribed.')).toBeNull();
  });

  it.each([
    ['PUT', false, 'Subscribe', 'Failed to subscribe. Please try again.'],
    ['DELETE', true, 'Unsubscribe', 'Failed to update subscription. Please try again.'],
  ])('a %s that fails is told and taken back', async (method, was, name, message) => {
    gateway.on(`${method} /api/subscriptions/coach`, () => problem(500, 'internal'));
    show(coach(subscribed(was)));
    await userEvent.click(await button(name));
    if (was) await confirmed();
    await waitFor(() => expect(told()).toEqual([message]));
    expect(await button(name)).toBeTruthy();
  });

  // Rule: SUBS-14, SUBS-19
  it.each([
    [422, 'coach-not-ready', 'Cleo cannot be paid yet. Please try again later.'],
    [422, 'price-not-set', 'Cleo has not set a price yet. Please try again later.'],
    [503, 'outcome-unknown', 'The payment service has not answered in time. Please try again in a moment.'],
    [503, 'unavailable', 'Failed to subscribe. Please try again.'],
    [503, 'payments-not-configured', 'Failed to subscribe. Please try again.'],
    [429, 'too-many-requests', 'Too many attempts. Please wait a moment and try again.'],
  ])('a payment page that is refused (%s %s) is told: %s', async (status, code, message) => {
    gateway.on('PUT /api/subscriptions/coach', () => problem(402, 'payment-required'));
    gateway.on('POST /api/stripe/checkout/create', () => problem(status, code));
    show(coach());
    await userEvent.click(await button('Subscribe'));
    await waitFor(() => expect(told()).toEqual([message]));
    expect((await button('Subscribe')).getAttribute('aria-busy')).toBe('false');
  });

  // Rule: SUBS-24
  it('Unsubscribe asks first, and Keep Subscription changes nothing', async () => {
    show(coach(subscribed(true)));
    await userEvent.click(await button('Unsubscribe'));
    const text =
      'Are you sure you want to unsubscribe from Cleo? You will lose access to subscriber-only content.';
    expect(await screen.findByText(text)).toBeTruthy();
    await userEvent.click(await button('Keep Subscription'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(gateway.calls).toEqual([]);
    expect(document.activeElement).toBe(await button('Unsubscribe'));
  });

  it('what the viewer pays stands there, and the coach’s other price as that of others', () => {
    show(coach({ ...of({}), subscriptionPrice: 500 }));
    expect(screen.getByText('You are subscribed.')).toBeTruthy();
    expect(screen.getByText('You pay MX$400.00 per month')).toBeTruthy();
    expect(screen.getByText('Price for new subscribers: MX$500.00 per month')).toBeTruthy();
    expect(screen.queryByText('MX$500.00')).toBeNull();
    cleanup();
    show(coach(of({})));
    expect(screen.getByText('You pay MX$400.00 per month')).toBeTruthy();
    expect(screen.queryByText(/new subscribers/)).toBeNull();
  });

  // Rule: SUBS-24, SUBS-11
  it('one that is paid says with the question how long access lasts, and goes on to its end', async () => {
    gateway.on('DELETE /api/subscriptions/coach', () =>
      aSubscription({ coach: coach(of(ENDING)), ...ENDING, currentPeriodEnd: END }),
    );
    show(coach(of({})));
    await userEvent.click(await button('Unsubscribe'));
    expect(
      screen.getByText('You keep access until the end of the paid month, and nothing more is charged.'),
    ).toBeTruthy();
    await confirmed();
    expect(await screen.findByText('Access until December 24, 2099')).toBeTruthy();
    expect(told()).toEqual(['You have successfully unsubscribed from Cleo.']);
    expect(await button('Resume subscription to Cleo')).toBeTruthy();
  });

  it('one that ends says until when, and is resumed by the same button', async () => {
    gateway.on('PUT /api/subscriptions/coach', () => aSubscription({ coach: coach(of({})) }));
    show(coach({ ...of(ENDING), subscriptionPrice: 500 }));
    expect(screen.getByText('Access until December 24, 2099')).toBeTruthy();
    expect(screen.getByText('If you resume, you pay MX$400.00 per month.')).toBeTruthy();
    expect(screen.queryByText(/500|You are subscribed/)).toBeNull();
    await userEvent.click(await button('Resume subscription to Cleo'));
    await waitFor(() => expect(told()).toEqual(['Your subscription to Cleo goes on.']));
    await waitFor(async () => expect((await button('Unsubscribe')).getAttribute('aria-busy')).toBe('false'));
    expect(document.activeElement).toBe(await button('Unsubscribe'));
    expect(screen.queryByText(/Access until/)).toBeNull();
  });

  it('a resume that fails is told', async () => {
    gateway.on('PUT /api/subscriptions/coach', () => problem(500, 'internal'));
    show(coach(of(ENDING)));
    await userEvent.click(await button('Resume subscription to Cleo'));
    await waitFor(() => expect(told()).toEqual(['Failed to update subscription. Please try again.']));
  });

  it.each<[string, Partial<OwnSubscription>, Partial<Profile>, number]>([
    ['has ended', { status: 'cancelled', accessUntil: END }, {}, 1],
    ['is to somebody who is no coach any more', ENDING, { isCoach: false }, 0],
  ])('one that %s offers nothing', (_how, over, profile, lines) => {
    show(coach({ ...of(over), ...profile }));
    expect(screen.getByText('Access until December 24, 2099')).toBeTruthy();
    expect(screen.queryAllByText('You can subscribe again then.')).toHaveLength(lines);
    expect(screen.queryByRole('button')).toBeNull();
  });

  // Rule: SUBS-33
  it('one whose payment has failed says so, with the way to another card', async () => {
    show(coach(of({ status: 'past_due', accessUntil: END })));
    expect(
      screen.getByText('Your last payment failed. You keep access until December 24, 2099.'),
    ).toBeTruthy();
    expect(screen.queryByText('You are subscribed.')).toBeNull();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Another card',
      'Unsubscribe',
    ]);
    await userEvent.click(await button('Unsubscribe'));
    expect(
      screen.getByText('Access ends now, and the payment that failed is not charged any more.'),
    ).toBeTruthy();
  });

  it.each([
    ['the focus of the window', () => act(() => void window.dispatchEvent(new Event('focus')))],
    ['Back from another site', comeBack],
    ['a reload of what may have been missed', () => act(() => emitLive({ type: 'reload' }))],
  ])('one that is paid is read again with %s', async (_when, happens) => {
    const queryClient = show(coach(of({})));
    const isStale = () => queryClient.getQueryState(queryKeys.profiles.byId('coach'))!.isInvalidated;
    expect(isStale()).toBe(false);
    happens();
    expect(isStale()).toBe(true);
  });

  it('nothing can be pressed while it is not known whether the viewer is subscribed', () => {
    show(coach(subscribed(null)));
    expect(screen.getByText('Subscribing is not available now.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

// Rule: SUBS-25, UI-34
it('visitors are asked to log in', async () => {
  act(() => session.forceSignOut());
  show(coach({ viewer: null }));
  await userEvent.click(await button('Subscribe'));
  expect(getFeedback().dialogs).toMatchObject([
    { title: 'Login Required', message: 'Please log in to subscribe' },
  ]);
  expect(gateway.calls).toEqual([]);
});

// Rule: SUBS-25
describe('on a coach’s card', () => {
  const card = (over: Partial<Profile> = {}) =>
    render(<SubscribeButton coach={coach(over)} />, { wrapper: aPageAround().wrapper });

  it('the button is named after the coach, and sends what it says', async () => {
    gateway.on('PUT /api/subscriptions/coach', () => aSubscription({ coach: coach(subscribed(true)) }));
    card(subscribed(false));
    await userEvent.click(await button('Subscribe to Cleo'));
    await waitFor(() => expect(told()).toEqual(['You are now subscribed to Cleo!']));
    cleanup();
    card(subscribed(true));
    await userEvent.click(await button('Unsubscribe from Cleo'));
    expect(getFeedback().question?.title).toBe('Unsubscribe?');
  });

  it('one that ends is resumed, and one that has ended has none', async () => {
    gateway.on('PUT /api/subscriptions/coach', () => aSubscription({ coach: coach(of({})) }));
    card(of(ENDING));
    await userEvent.click(await button('Resume subscription to Cleo'));
    await waitFor(() => expect(told()).toEqual(['Your subscription to Cleo goes on.']));
    cleanup();
    card(of({ status: 'cancelled', accessUntil: END }));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('there is none while it is not known whether the viewer is subscribed', () => {
    card(subscribed(null));
    expect(screen.queryByRole('button')).toBeNull();
  });
});

// Rule: SUBS-25
describe('the paywall of a post', () => {
  const author = {
    ...aPost().author,
    id: 'coach',
    name: 'Cleo',
    isCoach: true,
    subscriptionPrice: 9.5,
    subscriptionCurrency: 'USD' as const,
  };

  it('has Subscribe with the price; the post gets the focus when it opens', async () => {
    gateway.on('PUT /api/subscriptions/coach', () => aSubscription());
    const { wrapper } = aPageAround();
    const post = (open: boolean) => (
      <article tabIndex={-1}>
        {open ? (
          'The whole text'
        ) : (
          <div>
            <p>The first words</p>
            <Paywall author={author} />
          </div>
        )}
      </article>
    );
    const { rerender } = render(post(false), { wrapper });
    expect(screen.getByText('$9.50')).toBeTruthy();
    await userEvent.click(await button('Subscribe to Cleo'));
    await waitFor(() => expect(told()).toEqual(['You are now subscribed to Cleo!']));
    rerender(post(true));
    expect(document.activeElement).toBe(screen.getByRole('article'));
  });
});

// Rule: UI-32
it.each([
  [0, '0 subscribers · Dashboard'],
  [1, '1 subscriber · Dashboard'],
  [1200, '1.2K subscribers · Dashboard'],
  [null, 'Dashboard'],
])('a coach with %s subscribers is led to the dashboard by "%s"', (subscribers, name) => {
  render(<DashboardLink coach={coach({ stats: { ...stats, subscribers } })} />, {
    wrapper: aPageAround().wrapper,
  });
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/dashboard');
});
