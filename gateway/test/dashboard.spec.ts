import type { Dashboard } from '@pulso/contracts/billing/v1/billing';
import { permissionDenied, unavailable } from '@pulso/platform/errors/domain-error';
import { aSubscriber } from './support/fake-billing.js';
import { aUserRef, OTHER_ID, TIME, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const get = async (query = '') => {
  const response = await gateway.call('GET', `/api/dashboard${query}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const requests = (method: string) =>
  gateway.calls.filter((recorded) => recorded.method === method).map(({ request }) => request);
const figures = (changes: Partial<Dashboard>) => {
  gateway.billing.getDashboard = () =>
    Promise.resolve({
      totalSubscribers: 5,
      activeSubscriptions: 3,
      priceMinor: 40_050,
      currency: 'MXN',
      paidMonthly: [],
      ...changes,
    });
};

const ben = {
  id: OTHER_ID,
  name: 'Ben Ortiz',
  username: 'ben-ortiz',
  profileImage: '/api/avatars/B.svg',
  isCoach: false,
};

// Rule: SUBS-35
it('a subscriber’s row says until when access lasts, and that a dispute has ended it', async () => {
  gateway.billing.listSubscribers = () =>
    Promise.resolve({
      items: [aSubscriber({ accessUntil: TIME }), aSubscriber({ disputed: true })],
      nextCursor: '',
    });
  const { body } = await get();
  const { items } = body.subscribers as { items: Record<string, unknown>[] };
  expect(items.map(({ accessUntil, disputed }) => [accessUntil, disputed])).toEqual([
    [new Date(TIME).toISOString(), undefined],
    [undefined, true],
  ]);
});

// Rule: SUBS-26
describe('the figures of a coach', () => {
  it('are billing’s, with what is estimated and what is really paid', async () => {
    expect(await get()).toMatchObject({
      status: 200,
      body: {
        totalSubscribers: 5,
        activeSubscriptions: 3,
        monthlyRevenue: 1201.5,
        currency: 'MXN',
        monthlyByCurrency: [{ currency: 'MXN', amount: 800.5 }],
      },
    });
  });

  it('lose no cent', async () => {
    figures({ activeSubscriptions: 3, priceMinor: 10, currency: 'USD' });
    expect((await get()).body.monthlyRevenue).toBe(0.3);
    figures({ activeSubscriptions: 123_456_789, priceMinor: 9_999_950, currency: 'USD' });
    expect((await get()).body.monthlyRevenue).toBe(12_345_617_171_605.5);
  });

  // Rule: SUBS-6
  it.each([undefined, 0])('are 0 for a price of %s, in USD while none is set', async (priceMinor) => {
    figures({ priceMinor, currency: priceMinor === undefined ? '' : 'MXN' });
    expect((await get()).body).toMatchObject({
      monthlyRevenue: 0,
      currency: priceMinor === undefined ? 'USD' : 'MXN',
    });
  });
});

// Rule: SUBS-27
describe('the table of subscribers', () => {
  it('has the addresses of those with access, asked for in one call', async () => {
    const former = aSubscriber({ user: aUserRef({ id: USER_ID, name: 'Ana' }), givesAccess: false });
    const items = [aSubscriber(), former];
    gateway.billing.listSubscribers = () => Promise.resolve({ items, nextCursor: '' });
    gateway.identity.listSubscriberEmails = () =>
      Promise.resolve({
        emails: [OTHER_ID, USER_ID].map((userId) => ({ userId, email: `${userId}@example.com` })),
      });
    const subscribedAt = new Date(TIME).toISOString();
    expect((await get()).body.subscribers).toEqual({
      items: [
        {
          user: { ...ben, email: `${OTHER_ID}@example.com` },
          plan: 'monthly',
          status: 'active',
          subscribedAt,
        },
        {
          user: { ...ben, id: USER_ID, name: 'Ana', profileImage: '/api/avatars/A.svg', email: null },
          plan: 'monthly',
          status: 'active',
          subscribedAt,
        },
      ],
      nextCursor: null,
    });
    expect(requests('listSubscriberEmails')).toEqual([{ userIds: [OTHER_ID] }]);
  });

  it('shows no address that identity does not tell', async () => {
    gateway.identity.listSubscriberEmails = () => Promise.resolve({ emails: [] });
    expect((await get()).body).toMatchObject({ subscribers: { items: [{ user: { email: null } }] } });
  });

  it('keeps those who are gone, without asking for their addresses', async () => {
    const gone = { id: OTHER_ID, name: '', username: '', profileImageId: '', isCoach: false };
    const items = [aSubscriber({ user: gone, givesAccess: false })];
    gateway.billing.listSubscribers = () => Promise.resolve({ items, nextCursor: '' });
    expect((await get()).body).toMatchObject({
      subscribers: {
        items: [
          {
            user: { name: 'Deleted user', username: null, profileImage: '/api/avatars/D.svg', email: null },
          },
        ],
      },
    });
    expect(requests('listSubscriberEmails')).toEqual([]);
  });

  it('is paged by the cursor of the call', async () => {
    expect((await get('?limit=7')).body).toMatchObject({ subscribers: { nextCursor: 'k.next.mac' } });
    expect(requests('listSubscribers')).toEqual([{ limit: 7, cursor: '' }]);
    expect((await get('?cursor=other')).body.code).toBe('invalid-cursor');
  });

  // Rule: SUBS-31
  it('is 503 while identity is down, since null would say that access has ended', async () => {
    gateway.identity.listSubscriberEmails = () => Promise.reject(unavailable());
    expect((await get()).status).toBe(503);
  });
});

// Rule: SUBS-29
it('is refused to members as billing refuses it', async () => {
  const detail = 'Access denied. Only coaches can view the dashboard.';
  gateway.billing.getDashboard = () => Promise.reject(permissionDenied(detail));
  gateway.billing.listSubscribers = () => Promise.reject(permissionDenied(detail));
  expect(await get()).toMatchObject({ status: 403, body: { code: 'permission-denied', detail } });
});
