import { aUser, OTHER_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const NUMBERS = ['billing.getStandings', 'posts.getUsersStats', 'social.getRelations'];

/** Each rpc costs the gateway and its service about as much as the rest of a short call: one to a service is enough. */
const READS: readonly [string, readonly string[]][] = [
  ['/api/me', [...NUMBERS, 'identity.getMe', 'media.getStorage']],
  ['/api/storage', ['media.getStorage']],
  [`/api/users/${USER_ID}`, [...NUMBERS, 'identity.getUser']],
  ['/api/users/by-username/ana-torres', [...NUMBERS, 'identity.getUserByUsername']],
  ['/api/coaches?q=ana', [...NUMBERS, 'identity.listCoaches']],
  ['/api/subscriptions', [...NUMBERS, 'billing.listSubscriptions', 'identity.getUsers']],
  [
    '/api/coaches/suggested',
    [...NUMBERS, 'identity.getUsers', 'identity.listCoaches', 'social.getRelations', 'social.listMetCoaches'],
  ],
];

describe('the rpcs of a read', () => {
  it.each(READS)('%s', async (path, rpcs) => {
    gateway.social.listMetCoaches = () => Promise.resolve({ userIds: [USER_ID, OTHER_ID] });
    gateway.identity.listCoaches = () => Promise.resolve({ items: [aUser()], nextCursor: '' });
    const { status } = await gateway.call('GET', path);
    expect(status).toBe(200);
    expect(gateway.calls.map(({ service, method }) => `${service}.${method}`).toSorted()).toEqual(
      rpcs.toSorted(),
    );
  });
});
