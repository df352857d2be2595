import { SubscriptionStatus } from '@pulso/contracts/billing/v1/billing';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { gate } from '@pulso/platform/testing/gate';
import { OTHER_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.tokenFor(OTHER_ID);
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

interface Subscribers {
  stats: { subscribers: number | null };
  viewer: { subscribed: boolean | null } | null;
}
const get = async <T>(path: string, as: string | null = token) => {
  const response = await gateway.call('GET', path, { token: as });
  return { status: response.status, body: (await response.json()) as T };
};
const PROFILES = [`/api/users/${USER_ID}`, '/api/users/by-username/ana-torres'];
const LISTS = ['/api/coaches', '/api/people?q=ana'];
const subscribed = (subscriberCount: number, isSubscribed: boolean) => {
  gateway.billing.getStandings = ({ userIds }) =>
    Promise.resolve({
      standings: userIds.map((userId) => ({
        userId,
        subscriberCount,
        subscribed: isSubscribed,
        own: undefined,
      })),
    });
};

// Rule: PEOPLE-2, PEOPLE-3
describe('how many subscribe, and whether the viewer does', () => {
  it('stands in every profile, alone and in lists', async () => {
    subscribed(4, true);
    const wanted = { stats: { subscribers: 4 }, viewer: { subscribed: true } };
    for (const path of PROFILES) expect((await get(path)).body).toMatchObject(wanted);
    for (const path of LISTS) {
      expect((await get<{ items: Subscribers[] }>(path)).body.items).toMatchObject([wanted]);
    }
    expect((await get<Subscribers>(PROFILES[0]!, null)).body).toMatchObject({
      stats: { subscribers: 4 },
      viewer: null,
    });
  });

  // Rule: PEOPLE-3
  it('tells what the viewer pays, and when access ends', async () => {
    const own = {
      ...{ status: SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE, cancelAtPeriodEnd: true },
      ...{ accessUntil: Date.UTC(2026, 4, 4), paid: { currency: 'MXN', amountMinor: 35_050 } },
    };
    gateway.billing.getStandings = ({ userIds }) =>
      Promise.resolve({
        standings: userIds.map((userId) => ({ userId, subscriberCount: 1, subscribed: true, own })),
      });
    const told = {
      ...{ status: 'past_due', cancelAtPeriodEnd: true },
      ...{ accessUntil: '2026-05-04T00:00:00.000Z', paid: { currency: 'MXN', amount: 350.5 } },
    };
    for (const path of PROFILES)
      expect((await get(path)).body).toMatchObject({ viewer: { subscription: told } });
  });

  it('is one question for a list', async () => {
    await get('/api/coaches');
    const asked = gateway.calls.filter(({ method }) => method === 'getStandings');
    expect(asked.map(({ request }) => request)).toEqual([{ userIds: [USER_ID] }]);
  });

  it('is 0 and false for somebody new', async () => {
    subscribed(0, false);
    expect((await get(PROFILES[0]!)).body).toMatchObject({
      stats: { subscribers: 0 },
      viewer: { subscribed: false },
    });
  });

  it('is null while billing is down, and the rest is there', async () => {
    gateway.billing.getStandings = () => Promise.reject(unavailable());
    const wanted = {
      name: 'Ana Torres',
      subscriptionPrice: 400.5,
      stats: { subscribers: null, posts: 2, followers: 48 },
      viewer: { subscribed: null, following: false },
    };
    for (const path of PROFILES) expect(await get(path)).toMatchObject({ status: 200, body: wanted });
    for (const path of LISTS) {
      expect(await get(path)).toMatchObject({ status: 200, body: { items: [wanted] } });
    }
    expect(await get('/api/me')).toMatchObject({
      status: 200,
      body: { email: 'ana@example.com', stats: { subscribers: null } },
    });
  });

  it('is asked for beside the other numbers, not after them', async () => {
    const asked = gate('the question to billing');
    const { getUsersStats } = gateway.posts;
    gateway.billing.getStandings = ({ userIds }) => {
      asked.open();
      return Promise.resolve({
        standings: userIds.map((userId) => ({
          userId,
          subscriberCount: 1,
          subscribed: false,
          own: undefined,
        })),
      });
    };
    gateway.posts.getUsersStats = async (request) => {
      await asked.opened;
      return getUsersStats!(request);
    };
    expect((await get(PROFILES[0]!)).body).toMatchObject({ stats: { subscribers: 1, posts: 2 } });
  });
});
