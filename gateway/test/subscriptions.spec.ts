import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { aSubscription, SUBSCRIPTION_ID } from './support/fake-billing.js';
import { aRelation, aUser, OTHER_ID, TIME, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenFor(OTHER_ID);
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const time = new Date(TIME).toISOString();
const path = `/api/subscriptions/${USER_ID}`;

/** By the member. */
const call = async (method: string, at: string, headers: Record<string, string> = {}) => {
  const response = await gateway.call(method, at, { token, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const requests = (method: string) =>
  gateway.calls.filter((recorded) => recorded.method === method).map(({ request }) => request);
const profile = async () => (await call('GET', `/api/users/${USER_ID}`)).body;
const subscribedProfile = async () => {
  const { viewer, ...rest } = (await profile()) as { viewer: object };
  const own = { status: 'active', accessUntil: null, cancelAtPeriodEnd: false, paid: null };
  return { ...rest, viewer: { ...viewer, subscribed: true, subscription: own } };
};

const subscription = {
  id: SUBSCRIPTION_ID,
  planType: 'monthly',
  status: 'active',
  startDate: time,
  createdAt: time,
  cancelledAt: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  accessUntil: null,
  price: 400.5,
  currency: 'MXN',
  paid: null,
};

// Rule: SUBS-8
describe('subscribing', () => {
  it('is 201 with the subscription, and 200 when it is there already', async () => {
    const coach = await subscribedProfile();
    expect(await call('PUT', path)).toEqual({ status: 201, body: { ...subscription, coach } });
    gateway.billing.subscribe = () => Promise.resolve({ subscription: aSubscription(), created: false });
    expect(await call('PUT', path)).toEqual({ status: 200, body: { ...subscription, coach } });
  });

  // Rule: SUBS-23
  it('says what the member pays, which is not the coach’s present price', async () => {
    const paid = { currency: 'USD', amountMinor: 950 };
    gateway.billing.subscribe = () =>
      Promise.resolve({ subscription: aSubscription({ paid }), created: false });
    expect((await call('PUT', path)).body).toMatchObject({
      ...{ price: 400.5, currency: 'MXN', paid: { currency: 'USD', amount: 9.5 } },
    });
  });

  // Rule: HTTP-13
  it('hands the Idempotency-Key on, bound to method and path', async () => {
    await call('PUT', path, { 'idempotency-key': 'one press' });
    await call('PUT', path);
    expect(requests('subscribe')).toEqual([
      {
        coachId: USER_ID,
        idempotency: { key: 'one press', scope: `PUT ${path}`, bodyHash: expect.any(String) },
      },
      { coachId: USER_ID, idempotency: undefined },
    ]);
  });

  it.each([
    ['payment-required', 402],
    ['blocked', 403],
    ['not-found', 404],
    ['cannot-subscribe-self', 422],
    ['not-a-coach', 422],
    ['price-not-set', 422],
    ['unavailable', 503],
  ] as const)('is refused as billing refuses it: %s', async (code, status) => {
    gateway.billing.subscribe = () => Promise.reject(new DomainError(code, 'Said by billing'));
    expect(await call('PUT', path)).toMatchObject({ status, body: { code, detail: 'Said by billing' } });
  });

  it('takes no amount and no other user than the caller', async () => {
    for (const json of [{ price: 0 }, { uid: USER_ID }, { planType: 'yearly' }]) {
      expect((await gateway.call('PUT', path, { token, json })).status).toBe(400);
    }
    expect(requests('subscribe')).toEqual([]);
  });
});

// Rule: SUBS-11
describe('unsubscribing', () => {
  it('answers the ended subscription, whose coach the viewer is not subscribed to', async () => {
    gateway.billing.getStandings = ({ userIds }) =>
      Promise.resolve({
        standings: userIds.map((userId) => ({
          userId,
          subscriberCount: 3,
          subscribed: true,
          own: undefined,
        })),
      });
    expect(await call('DELETE', path)).toMatchObject({
      status: 200,
      body: {
        status: 'cancelled',
        cancelledAt: time,
        accessUntil: time,
        coach: { id: USER_ID, viewer: { subscribed: false } },
      },
    });
    expect(requests('cancelSubscription')).toEqual([{ coachId: USER_ID }]);
  });

  it('answers one that was made for it, which never gave access', async () => {
    gateway.billing.cancelSubscription = () =>
      Promise.resolve(
        aSubscription({
          status: SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED,
          startDate: undefined,
          priceMinor: undefined,
          currency: '',
          givesAccess: false,
        }),
      );
    expect(await call('DELETE', path)).toMatchObject({
      status: 200,
      body: { status: 'cancelled', startDate: null, cancelledAt: null, price: null, currency: null },
    });
  });
});

describe('the list of subscriptions', () => {
  it('is a page of those with access, or of all, with the coaches read in one call', async () => {
    const coach = await subscribedProfile();
    gateway.calls.length = 0;
    expect(await call('GET', '/api/subscriptions')).toEqual({
      status: 200,
      body: { items: [{ ...subscription, coach }], nextCursor: 'k.next.mac' },
    });
    await call('GET', '/api/subscriptions?status=all&limit=5&unknown=x');
    expect(requests('listSubscriptions')).toEqual([
      { all: false, limit: 20, cursor: '' },
      { all: true, limit: 5, cursor: '' },
    ]);
    expect(requests('getUsers')).toEqual([{ ids: [USER_ID] }, { ids: [USER_ID] }]);
  });

  // Rule: SUBS-35
  it('has those that a dispute has ended, or that were paid back, beside it, read in the same call', async () => {
    const refunded = { currency: 'MXN', amountMinor: 20_050 };
    const over = { status: SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED, givesAccess: false };
    gateway.billing.listSubscriptions = () =>
      Promise.resolve({
        items: [aSubscription({ refunded, refundedAt: TIME })],
        ended: [aSubscription({ ...over, coachId: OTHER_ID, disputed: true })],
        nextCursor: '',
      });
    const { body } = await call('GET', '/api/subscriptions');
    expect(body).toMatchObject({
      items: [{ coach: { id: USER_ID }, refunded: { currency: 'MXN', amount: 200.5, at: time } }],
      ended: [
        { coach: { id: OTHER_ID, viewer: { subscription: null } }, status: 'cancelled', disputed: true },
      ],
    });
    expect(JSON.stringify(body.items)).not.toContain('disputed');
    expect(JSON.stringify(body.ended)).not.toContain('refunded');
    expect(requests('getUsers')).toEqual([{ ids: [USER_ID, OTHER_ID] }]);
  });

  it.each(['active', '', 'ALL', 'canceled', 'all&status=all'])('refuses status=%s', async (status) => {
    const { status: answered, body } = await call('GET', `/api/subscriptions?status=${status}`);
    expect([answered, body.code, body.errors]).toEqual([
      400,
      'validation-failed',
      [{ path: 'status', message: expect.any(String), code: expect.any(String) }],
    ]);
    expect(requests('listSubscriptions')).toEqual([]);
  });

  it('tells every status, and the times that there are', async () => {
    const { SUBSCRIPTION_STATUS_INCOMPLETE, SUBSCRIPTION_STATUS_PAST_DUE } = SubscriptionStatus;
    const later = TIME + 86_400_000;
    gateway.billing.listSubscriptions = () =>
      Promise.resolve({
        items: [
          aSubscription({ status: SUBSCRIPTION_STATUS_INCOMPLETE }),
          aSubscription({ status: SUBSCRIPTION_STATUS_PAST_DUE, accessUntil: later }),
          aSubscription({ cancelAtPeriodEnd: true, currentPeriodEnd: later, cancelledAt: TIME }),
        ],
        ended: [],
        nextCursor: '',
      });
    const end = new Date(later).toISOString();
    expect((await call('GET', '/api/subscriptions?status=all')).body).toMatchObject({
      items: [
        { status: 'incomplete' },
        { status: 'past_due', accessUntil: end },
        { status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd: end, cancelledAt: time },
      ],
      nextCursor: null,
    });
  });

  // Rule: SUBS-31
  it('names a coach who is gone, or has blocked the viewer, Deleted user', async () => {
    const [gone, blocker, blocked] = [newId(), newId(), newId()];
    gateway.billing.listSubscriptions = () =>
      Promise.resolve({
        items: [gone, blocker, blocked].map((coachId) => aSubscription({ coachId, givesAccess: false })),
        ended: [],
        nextCursor: '',
      });
    gateway.identity.getUsers = () =>
      Promise.resolve({ users: [aUser({ id: blocked }), aUser({ id: blocker })] });
    gateway.social.getRelations = ({ userIds }) =>
      Promise.resolve({
        relations: userIds.map((userId) =>
          aRelation({ userId, blockedBy: userId === blocker, blocked: userId === blocked }),
        ),
      });
    const { body } = await call('GET', '/api/subscriptions?status=all');
    const nobody = {
      name: 'Deleted user',
      username: null,
      profileImage: '/api/avatars/D.svg',
      isCoach: false,
      bio: '',
      specialties: [],
      subscriptionPrice: null,
      stats: { posts: 0, followers: 0, subscribers: 0 },
    };
    expect(body.items).toMatchObject([
      { coach: { ...nobody, id: gone }, price: null, currency: null },
      { coach: { ...nobody, id: blocker }, price: null, currency: null },
      {
        coach: { id: blocked, name: 'Ana Torres', viewer: { blocked: true } },
        price: 400.5,
        currency: 'MXN',
      },
    ]);
  });

  // Rule: HTTP-19, SUBS-31
  it('is 503 while billing or identity is down, and does without the numbers', async () => {
    gateway.posts.getUsersStats = () => Promise.reject(unavailable());
    gateway.billing.getStandings = () => Promise.reject(unavailable());
    expect(await call('GET', '/api/subscriptions')).toMatchObject({
      status: 200,
      body: {
        items: [{ coach: { stats: { posts: null, subscribers: null }, viewer: { subscribed: true } } }],
      },
    });
    gateway.identity.getUsers = () => Promise.reject(unavailable());
    expect((await call('GET', '/api/subscriptions')).status).toBe(503);
    gateway.resetServices();
    gateway.billing.listSubscriptions = () => Promise.reject(unavailable());
    expect((await call('GET', '/api/subscriptions')).status).toBe(503);
  });
});
