import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { aPost, aProfile, aSession } from '../../../../test/a-post.js';
import { aSubscription } from '../../../../test/a-subscription.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Profile } from '../../../api/types.js';
import { FeedbackHost } from '../../../components/feedback/feedback-host.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
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
const subscribed = (is: boolean | null) => ({ viewer: { ...viewer!, subscribed: is } });

/** As a page shows it: from the cache. */
function show(profile: Profile) {
  const { queryClient, wrapper } = aPageAround();
  const queryKey = queryKeys.profiles.byId('coach');
  queryClient.setQueryData(queryKey, profile);
  function Page() {
    const { data } = useQuery({ queryKey, queryFn: () => profile, enabled: false });
    return <SubscribePanel coach={data!} />;
  }
  render(
    <>
      <Page />
      <FeedbackHost />
    </>,
    { wrapper },
  );
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
