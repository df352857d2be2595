import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aProfile, aSession } from '../../../../test/a-post.js';
import { aSubscription } from '../../../../test/a-subscription.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Subscription } from '../../../api/types.js';
import { FeedbackHost } from '../../../components/feedback/feedback-host.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { CHANGED } from '../../../shared/subscribing/subscription-list.js';
import { MySubscriptions } from './my-subscriptions.js';

const LIST = 'GET /api/subscriptions';
const END = '2099-12-24T10:00:00.000Z';
const PAID = { currentPeriodEnd: END, paid: { amount: 400, currency: 'MXN' as const } };
const ENDING = { ...PAID, cancelAtPeriodEnd: true, accessUntil: END };
const to = (name: string, over: Partial<Subscription> = {}) => {
  const { coach, ...rest } = aSubscription({ id: `to-${name}`, ...over });
  return { ...rest, coach: { ...coach, id: name.toLowerCase(), name } };
};

let gateway: FakeGateway;
let items: Subscription[];
let ended: Subscription[] | undefined;
beforeEach(() => {
  gateway = fakeGateway();
  items = [to('Cleo'), to('Dora')];
  ended = undefined;
  gateway.on(LIST, () => ({ items, nextCursor: null, ended }));
  act(() => session.signIn(aSession('token')));
});
afterEach(() => {
  cleanup();
  act(() => session.forceSignOut());
  act(clearFeedback);
});

const show = () =>
  render(
    <main id="main" tabIndex={-1}>
      <MySubscriptions mend={<button>Another card</button>} />
      <FeedbackHost />
    </main>,
    { wrapper: aPageAround().wrapper },
  );
const names = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const reads = () => gateway.calls.filter((call) => call === LIST).length;

// Rule: SUBS-23
describe('My Subscriptions', () => {
  it('has a card for each, with the count', async () => {
    const coach = aProfile({
      name: 'Cleo',
      username: 'cleo',
      bio: 'Strength for busy people.',
      specialties: ['Yoga', 'Running', 'Cardio', 'Dance', 'Boxing'],
    });
    items = [aSubscription({ coach })];
    show();
    expect(screen.getByRole('heading', { level: 1, name: 'My Subscriptions' })).toBeTruthy();
    expect(await screen.findByText('1 subscription')).toBeTruthy();
    const card = within(screen.getByRole('list', { name: 'Subscriptions' }));
    for (const text of ['Coach', 'Active', coach.bio, 'Yoga', 'Running', 'Cardio', '+2 more'])
      expect(card.getByText(text)).toBeTruthy();
    expect(card.queryByText('Dance')).toBeNull();
    expect(card.getByText('Subscribed on November 20, 2026')).toBeTruthy();
    expect(card.queryByText(/Access until/)).toBeNull();
    expect(card.getByRole('link', { name: 'View Profile of Cleo' }).getAttribute('href')).toBe('/cleo');
    expect(screen.getByRole('link', { name: 'Find More Coaches' }).getAttribute('href')).toBe('/coaches');
  });

  it('says what the viewer pays, not what the coach asks now', async () => {
    items = [
      to('Cleo', { price: 400, currency: 'MXN', paid: { amount: 9.5, currency: 'USD' } }),
      to('Dora', { price: 400, currency: 'MXN' }),
    ];
    show();
    expect(await screen.findByText('You pay $9.50 per month')).toBeTruthy();
    expect(screen.getByText('Free')).toBeTruthy();
    expect(screen.queryByText(/400/)).toBeNull();
  });

  it('says until when one that ends gives access, and lets it go on', async () => {
    items = [to('Cleo', ENDING)];
    gateway.on('PUT /api/subscriptions/cleo', () => to('Cleo', PAID));
    show();
    expect(await screen.findByText('Access until December 24, 2099')).toBeTruthy();
    expect(screen.getByText('Ending')).toBeTruthy();
    expect(screen.queryByText('Active')).toBeNull();
    expect(screen.queryByRole('button', { name: /^Unsubscribe/ })).toBeNull();
    items = [to('Cleo', PAID)];
    await userEvent.click(screen.getByRole('button', { name: 'Resume subscription to Cleo' }));
    expect(await screen.findByRole('button', { name: 'Unsubscribe from Cleo' })).toBeTruthy();
    expect(screen.getByText('Active')).toBeTruthy();
    expect(getFeedback().toasts.map(({ message }) => message)).toEqual([
      'Your subscription to Cleo goes on.',
    ]);
  });

  it('offers nothing for one that has ended, while it still gives access', async () => {
    items = [to('Cleo', { ...PAID, status: 'cancelled', accessUntil: END })];
    show();
    expect(await screen.findByText('You can subscribe again then.')).toBeTruthy();
    expect(screen.getByText('Access until December 24, 2099')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says of one that is paid and goes on when it renews', async () => {
    items = [to('Cleo', { ...PAID, currentPeriodEnd: END })];
    show();
    expect(await screen.findByText('Renews on December 24, 2099')).toBeTruthy();
    cleanup();
    items = [to('Cleo', { ...PAID, currentPeriodEnd: END, cancelAtPeriodEnd: true, accessUntil: END })];
    show();
    expect(await screen.findByText('Access until December 24, 2099')).toBeTruthy();
    expect(screen.queryByText(/Renews/)).toBeNull();
  });

  // Rule: SUBS-33
  it('says of one whose payment has failed until when it gives access, and leads to another card', async () => {
    items = [to('Cleo', { ...PAID, status: 'past_due', accessUntil: END })];
    show();
    const text = 'Your last payment failed. You keep access until December 24, 2099.';
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText('Payment failed')).toBeTruthy();
    expect(screen.queryByText('Active')).toBeNull();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Another card',
      'Unsubscribe',
    ]);
  });

  // Rule: SUBS-35
  it('tells what has come of some that have ended, apart from those that are counted', async () => {
    const over = { ...PAID, status: 'cancelled' as const, accessUntil: '2026-11-22T10:00:00.000Z' };
    items = [to('Cleo', PAID)];
    ended = [
      to('Dora', { ...over, disputed: true }),
      to('Eva', { ...over, refunded: { currency: 'MXN', amount: 200.5, at: '2026-11-22T10:00:00.000Z' } }),
      aSubscription({ ...over, coach: aProfile({ name: 'Deleted user', username: null }), disputed: true }),
    ];
    show();
    const section = within(await screen.findByRole('region', { name: 'Ended' }));
    expect(screen.getByText('1 subscription')).toBeTruthy();
    const [dora, eva, gone] = section.getAllByRole('listitem');
    expect(dora!.textContent).toContain(
      'Your bank told us that you disputed a payment, so this subscription has ended.',
    );
    expect(dora!.textContent).not.toContain('paid back');
    expect(eva!.textContent).toContain('MX$200.50 was paid back on November 22, 2026.');
    expect(eva!.textContent).not.toContain('disputed');
    expect(section.queryAllByText(/You pay|Access until/)).toEqual([]);
    expect(section.getByRole('link', { name: 'View Profile of Eva' })).toBeTruthy();
    expect(within(gone!).queryByRole('link', { name: /^View Profile/ })).toBeNull();
    expect(within(screen.getByRole('list', { name: 'Subscriptions' })).queryByText(/paid back/)).toBeNull();
  });

  // Rule: SUBS-35
  it('says of one that goes on what was paid back', async () => {
    items = [
      to('Cleo', { ...PAID, refunded: { currency: 'USD', amount: 5, at: '2026-11-22T10:00:00.000Z' } }),
    ];
    show();
    expect(await screen.findByText('$5.00 was paid back on November 22, 2026.')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Ended' })).toBeNull();
  });

  it('without any says so, and leads to the coaches', async () => {
    items = [];
    show();
    expect(await screen.findByRole('heading', { name: 'No subscriptions yet' })).toBeTruthy();
    expect(screen.getByText('0 subscriptions')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Browse Coaches' }).getAttribute('href')).toBe('/coaches');
  });

  it('that did not load is tried again by a press', async () => {
    gateway.on(LIST, () => problem(500, 'internal'));
    show();
    const again = await screen.findByRole('button', { name: 'Try again' });
    gateway.on(LIST, () => ({ items, nextCursor: null }));
    await userEvent.click(again);
    await waitFor(() => expect(names()).toEqual(['Cleo', 'Dora']));
  });

  it('counts what it has while there is more', async () => {
    globalThis.IntersectionObserver = class {
      observe() {}
      disconnect() {}
    } as unknown as typeof IntersectionObserver;
    gateway.on(LIST, (request) =>
      new URL(request.url).searchParams.get('cursor')
        ? { items: [to('Eva')], nextCursor: null }
        : { items, nextCursor: 'next' },
    );
    show();
    expect(await screen.findByText('More than 2 subscriptions')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('3 subscriptions')).toBeTruthy();
  });

  it.each([
    ['the focus of the window', () => new Event('focus')],
    ['a change in another tab', () => new StorageEvent('storage', { key: CHANGED })],
  ])('is read again with %s', async (_when, event) => {
    show();
    await waitFor(() => expect(names()).toEqual(['Cleo', 'Dora']));
    items = [to('Dora')];
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'something-else' })));
    expect(reads()).toBe(1);
    act(() => void window.dispatchEvent(event()));
    await waitFor(() => expect(names()).toEqual(['Dora']));
    expect(reads()).toBe(2);
  });
});

// Rule: SUBS-24
describe('Unsubscribe', () => {
  const DELETE = 'DELETE /api/subscriptions/cleo';
  const press = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe from Cleo' }));
  const question = () => screen.queryByRole('alertdialog', { name: 'Unsubscribe?' });

  beforeEach(() =>
    gateway.on(DELETE, () => {
      items = items.filter(({ coach }) => coach.id !== 'cleo');
      return to('Cleo', { status: 'cancelled', accessUntil: '2026-11-20T10:00:00.000Z' });
    }),
  );

  it('asks first; Enter confirms', async () => {
    show();
    await press();
    const asked =
      'Are you sure you want to unsubscribe from Cleo? You will lose access to subscriber-only content.';
    expect(within(question()!).getByText(asked)).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(names()).toEqual(['Dora']));
    await waitFor(() =>
      expect(getFeedback().toasts.map(({ message }) => message)).toEqual([
        'You have successfully unsubscribed from Cleo',
      ]),
    );
    expect(screen.getByText('1 subscription')).toBeTruthy();
  });

  it('says of a paid one how long access lasts, and leaves it with that date', async () => {
    items = [to('Cleo', PAID)];
    gateway.on(DELETE, () => {
      items = [to('Cleo', ENDING)];
      return items[0];
    });
    show();
    await press();
    const kept = 'You keep access until December 24, 2099, and nothing more is charged.';
    expect(within(question()!).getByText(kept)).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Access until December 24, 2099')).toBeTruthy();
    expect(names()).toEqual(['Cleo']);
  });

  it.each([
    [
      'Escape',
      async () => act(() => void question()!.dispatchEvent(new Event('cancel', { cancelable: true }))),
    ],
    ['Keep Subscription', () => userEvent.click(screen.getByRole('button', { name: 'Keep Subscription' }))],
  ])('is left by %s', async (_how, leave) => {
    show();
    await press();
    await leave();
    expect(question()).toBeNull();
    expect(names()).toEqual(['Cleo', 'Dora']);
    expect(gateway.calls).not.toContain(DELETE);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Unsubscribe from Cleo' }));
  });

  it('that fails puts the card back and says so', async () => {
    gateway.on(DELETE, () => problem(500, 'internal'));
    show();
    await press();
    await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    await waitFor(() =>
      expect(getFeedback().toasts.map(({ message }) => message)).toEqual([
        'Failed to unsubscribe. Please try again.',
      ]),
    );
    expect(names()).toEqual(['Cleo', 'Dora']);
  });
});
