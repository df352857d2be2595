import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aSession } from '../../../../test/a-post.js';
import { aDashboard, aSubscriber } from '../../../../test/a-subscription.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Dashboard } from '../../../api/types.js';
import { PHONE } from '../../../components/back-closes.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { CoachDashboard } from './coach-dashboard.js';

const media = globalThis.matchMedia;
afterAll(() => {
  globalThis.matchMedia = media;
});

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  globalThis.matchMedia = media;
});
afterEach(() => {
  cleanup();
  act(clearFeedback);
});

function show(dashboard?: Partial<Dashboard>) {
  if (dashboard) gateway.on('GET /api/dashboard', () => aDashboard(dashboard));
  return render(<CoachDashboard />, { wrapper: aPageAround().wrapper });
}
const figure = async (name: string) => (await screen.findByText(name)).parentElement?.textContent;

// Rule: SUBS-26
describe('the figures of the dashboard', () => {
  it('have the estimate, and what is really paid per currency', async () => {
    show({
      totalSubscribers: 1250,
      activeSubscriptions: 3,
      monthlyRevenue: 1200,
      currency: 'MXN',
      monthlyByCurrency: [
        { currency: 'MXN', amount: 700.5 },
        { currency: 'USD', amount: 9.5 },
      ],
    });
    expect(await figure('Total Subscribers')).toBe('Total Subscribers1,250');
    expect(await figure('Active Subscriptions')).toBe('Active Subscriptions3');
    expect(await figure('Monthly Revenue (est.)')).toBe(
      'Monthly Revenue (est.)MX$1,200.00Paid now: MX$700.50 + $9.50',
    );
  });

  // Rule: SUBS-6
  it('are 0 USD without a price', async () => {
    show({});
    expect(await figure('Monthly Revenue (est.)')).toBe('Monthly Revenue (est.)$0.00Paid now: $0.00');
  });
});

// Rule: SUBS-6
it('tells a coach without a price that nobody can subscribe', async () => {
  gateway.on('GET /api/config', () => ({ payments: 'stripe' }));
  act(() => session.signIn(aSession('token', { user: aMe({ isCoach: true, subscriptionPrice: null }) })));
  show({});
  expect(await screen.findByText('Nobody can subscribe until you set a price.')).toBeTruthy();
  act(() => session.forceSignOut());
});

// Rule: SUBS-27
describe('the subscribers', () => {
  const items = [
    aSubscriber('Ben'),
    aSubscriber('Dora', {
      plan: '',
      status: 'cancelled',
      user: { ...aSubscriber('Dora').user, email: null },
    }),
  ];

  it('are a table of those who ever subscribed', async () => {
    show({ subscribers: { items, nextCursor: null } });
    const table = await screen.findByRole('table', { name: 'Subscribers' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Subscriber', 'Plan', 'Status', 'Subscribed Date']);
    const [ben, dora] = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    expect(ben).toEqual(['Benben@example.test', 'Monthly', 'Active', 'Nov 20, 2026']);
    expect(dora).toEqual(['Dora', 'Basic', 'Cancelled', 'Nov 20, 2026']);
    expect(within(table).getByRole('link', { name: /Ben/ }).getAttribute('href')).toBe('/profile/ben');
    expect(screen.getByText('Cancelled').className).toBe('inactive');
    expect(screen.getByText('Active').className).toBe('active');
  });

  it('are cards on a phone, with the same facts', async () => {
    globalThis.matchMedia = (query) => ({ ...media(query), matches: query.includes('max-width') });
    show({ subscribers: { items, nextCursor: null } });
    const list = await screen.findByRole('list', { name: 'Subscribers' });
    const [ben] = within(list).getAllByRole('listitem');
    expect(ben?.textContent).toBe('Benben@example.testPlanMonthlyStatusActiveSubscribed DateNov 20, 2026');
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('that are none are said to be none', async () => {
    show({});
    expect(await screen.findByText('No subscribers yet')).toBeTruthy();
  });

  it('that did not load say so, and are tried again by a press', async () => {
    gateway.on('GET /api/dashboard', () => problem(500, 'internal'));
    show();
    expect(await screen.findByText('Failed to load subscribers. Please try again.')).toBeTruthy();
    gateway.on('GET /api/dashboard', () => aDashboard({ subscribers: { items, nextCursor: null } }));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table')).toBeTruthy();
  });

  // Rule: SUBS-35
  it.each(['a table', 'cards'])(
    'say in %s until when one who leaves has access, and tell of a dispute',
    async (form) => {
      if (form === 'cards')
        globalThis.matchMedia = (query) => ({ ...media(query), matches: query === PHONE });
      const accessUntil = '2026-12-24T10:00:00.000Z';
      show({
        subscribers: {
          items: [
            aSubscriber('Eva', { accessUntil }),
            aSubscriber('Fay', { status: 'past_due', accessUntil }),
            aSubscriber('Gus', { status: 'cancelled', disputed: true }),
            aSubscriber('Hal'),
          ],
          nextCursor: null,
        },
      });
      await screen.findByRole('link', { name: /Eva/ });
      const statusOf = (name: RegExp) =>
        screen.getByRole('link', { name }).closest(form === 'cards' ? 'li' : 'tr')!.textContent;
      expect(statusOf(/Eva/)).toContain('Activeuntil Dec 24, 2026');
      expect(statusOf(/Fay/)).not.toContain('until');
      expect(statusOf(/Gus/)).toContain('CancelledPayment disputed');
      expect(statusOf(/Hal/)).not.toMatch(/until|disputed/);
    },
  );

  it('go on page after page', async () => {
    globalThis.IntersectionObserver = class {
      observe() {}
      disconnect() {}
    } as unknown as typeof IntersectionObserver;
    gateway.on('GET /api/dashboard', (request) =>
      aDashboard({
        subscribers: new URL(request.url).searchParams.get('cursor')
          ? { items: [aSubscriber('Eva')], nextCursor: null }
          : { items, nextCursor: 'next' },
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('link', { name: /Eva/ })).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(4);
  });
});

// Rule: SUBS-28
it('what is to come is listed', async () => {
  show({});
  const list = within(screen.getByRole('region', { name: 'Coming Soon' })).getAllByRole('listitem');
  expect(list.map(({ textContent }) => textContent)).toEqual([
    'Detailed Analytics',
    'Payment Management',
    'Subscriber Messaging',
    'Content Scheduling',
  ]);
});

// Rule: SUBS-29
it('who is no coach any more, as the server says, is told so', async () => {
  gateway.on('GET /api/dashboard', () => problem(403, 'forbidden'));
  show();
  await waitFor(() =>
    expect(getFeedback().toasts).toMatchObject([
      { message: 'Access denied. Only coaches can view the dashboard.' },
    ]),
  );
});
