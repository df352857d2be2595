import { DomainError, notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { CoachOrder } from '@pulso/contracts/identity/v1/identity';
import { aRelation, aUser, OTHER_ID, REVIEW_ID, USER_ID } from './support/fake-clients.js';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const json = async (method: string, path: string) => {
  const response = await gateway.call(method, path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const requests = (method: string) =>
  gateway.calls.filter((call) => call.method === method).map(({ request }) => request);

describe('the directory', () => {
  it('passes the search on, trimmed, and composes all profiles with one question to each service', async () => {
    const third = aUser({ id: REVIEW_ID, name: 'Cora' });
    gateway.identity.listCoaches = () =>
      Promise.resolve({ items: [aUser(), aUser({ id: OTHER_ID, name: 'Bea' }), third], nextCursor: 'n' });
    gateway.social.getRelations = ({ userIds }) =>
      Promise.resolve({
        relations: userIds.map((userId, index) => aRelation({ userId, followerCount: index })),
      });
    const { body } = await json('GET', '/api/coaches?q=%20jos%C3%A9%20&specialty=Yoga&limit=5&cursor=c.d');
    expect(requests('listCoaches')).toEqual([
      {
        ...{ q: 'josé', specialty: 'Yoga', limit: 5, cursor: 'c.d' },
        order: CoachOrder.COACH_ORDER_UNSPECIFIED,
      },
    ]);
    for (const question of ['getRelations', 'getUsersStats']) {
      expect(requests(question)).toEqual([{ userIds: [USER_ID, OTHER_ID, REVIEW_ID] }]);
    }
    expect(body).toMatchObject({
      nextCursor: 'n',
      items: [
        { name: 'Ana Torres', viewer: { isSelf: true }, stats: { followers: 0, posts: 2 } },
        { name: 'Bea', viewer: { isSelf: false }, stats: { followers: 1 } },
        { name: 'Cora', stats: { followers: 2 } },
      ],
    });
  });

  // Rule: PEOPLE-15
  it('asks for the order by merit, and refuses any other', async () => {
    await json('GET', '/api/coaches?sort=merit');
    expect(requests('listCoaches')).toMatchObject([{ order: CoachOrder.COACH_ORDER_MERIT }]);
    for (const sort of ['sort=', 'sort=name', 'sort=MERIT', 'sort=merit&sort=merit']) {
      expect(await json('GET', `/api/coaches?${sort}`)).toMatchObject({
        status: 400,
        body: { code: 'validation-failed', errors: [{ path: 'sort' }] },
      });
    }
  });

  // Rule: PEOPLE-16
  it('suggests coaches of people whom the viewer follows, then the best, at most ten and nobody followed', async () => {
    const coach = (id: string) => aUser({ id, name: id, isCoach: true });
    const [met, member, gone] = ['met', 'member', 'gone'];
    const ranked = Array.from({ length: 70 }, (_, index) => coach(`coach-${index}`));
    gateway.social.listMetCoaches = () => Promise.resolve({ userIds: [gone, member, met] });
    gateway.identity.getUsers = ({ ids }) =>
      Promise.resolve({
        users: ids.filter((id) => id !== gone).map((id) => ({ ...coach(id), isCoach: id !== member })),
      });
    gateway.identity.listCoaches = ({ cursor }) =>
      Promise.resolve(
        cursor === ''
          ? { items: [aUser(), ...ranked.slice(0, 48), coach(met)], nextCursor: 'next' }
          : { items: ranked.slice(48), nextCursor: '' },
      );
    const followed = new Set(ranked.slice(0, 45).map(({ id }) => id));
    gateway.social.getRelations = ({ userIds }) =>
      Promise.resolve({
        relations: userIds.map((userId) => aRelation({ userId, following: followed.has(userId) })),
      });
    const { body } = await json('GET', '/api/coaches/suggested');
    const best = ranked.slice(45, 54).map(({ id }) => id);
    expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([met, ...best]);
    expect(requests('listCoaches')).toMatchObject([
      { order: CoachOrder.COACH_ORDER_MERIT, cursor: '' },
      { order: CoachOrder.COACH_ORDER_MERIT, cursor: 'next' },
    ]);
  });

  // Rule: PEOPLE-16
  it('suggests nobody while it is unknown whom the viewer follows', async () => {
    gateway.social.getRelations = () => Promise.reject(unavailable());
    expect(await json('GET', '/api/coaches/suggested')).toMatchObject({ status: 503 });
    gateway.social.listMetCoaches = () => Promise.reject(unavailable());
    expect(await json('GET', '/api/coaches/suggested')).toMatchObject({ status: 503 });
  });

  it('leaves out whom a block hides, and shows null for what nobody can tell', async () => {
    gateway.identity.listCoaches = () =>
      Promise.resolve({ items: [aUser({ id: OTHER_ID }), aUser({ id: REVIEW_ID })], nextCursor: '' });
    gateway.social.getRelations = () =>
      Promise.resolve({ relations: [aRelation({ blockedBy: true }), aRelation({ blocked: true })] });
    expect((await json('GET', '/api/coaches')).body).toEqual({ items: [], nextCursor: null });
    gateway.social.getRelations = () => Promise.reject(unavailable());
    gateway.posts.getUsersStats = () => Promise.reject(unavailable());
    expect((await json('GET', '/api/coaches')).body).toMatchObject({
      items: [{ id: OTHER_ID, stats: { posts: null, followers: null } }, { id: REVIEW_ID }],
    });
  });

  it('lists specialties alike for everyone', async () => {
    const answer = await gateway.call('GET', '/api/specialties', { token: null });
    expect([answer.status, await answer.json()]).toEqual([200, { items: ['Boxing', 'Yoga'] }]);
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    const headers = { 'if-none-match': answer.headers.get('etag')! };
    expect((await gateway.call('GET', '/api/specialties', { token: null, headers })).status).toBe(304);
  });

  it('passes on what a service refuses', async () => {
    gateway.social.followUser = () =>
      Promise.reject(new DomainError('cannot-follow-self', 'You cannot follow yourself.'));
    expect(await json('PUT', `/api/users/${USER_ID}/follow`)).toMatchObject({
      status: 422,
      body: { code: 'cannot-follow-self', title: 'Cannot follow yourself' },
    });
    gateway.social.followUser = () => Promise.reject(notFound('User not found'));
    expect((await json('PUT', `/api/users/${OTHER_ID}/follow`)).status).toBe(404);
  });
});
