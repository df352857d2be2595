import { unavailable } from '@pulso/platform/errors/domain-error';
import { aRelation, OTHER_ID, POST_ID, USER_ID } from './support/fake-clients.js';
import { type CallOptions, startTestGateway, type TestGateway } from './support/start-test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.resetServices());
afterAll(() => gateway?.close());

const json = async (method: string, path: string, options?: CallOptions) => {
  const response = await gateway.call(method, path, options);
  return { status: response.status, body: (await response.json()) as unknown };
};

const requests = (method: string) =>
  gateway.calls.filter((call) => call.method === method).map(({ request }) => request);

const ben = {
  id: OTHER_ID,
  name: 'Ben Ortiz',
  username: 'ben-ortiz',
  profileImage: '/api/avatars/B.svg',
  isCoach: false,
};

// Rule: POST-16
describe('who likes a post', () => {
  const path = `/api/posts/${POST_ID}/likes`;
  const ana = {
    ...{ id: USER_ID, name: 'Ana Torres', username: 'ana-torres' },
    ...{ profileImage: '/api/avatars/A.svg', isCoach: true },
  };
  const idsAt = async () =>
    ((await json('GET', path)).body as { items: { id: string }[] }).items.map(({ id }) => id);

  it('is listed with how the viewer stands to them', async () => {
    gateway.social.getRelations = ({ userIds }) =>
      Promise.resolve({
        relations: userIds.map((userId) => aRelation({ userId, following: userId === OTHER_ID })),
      });
    expect((await json('GET', `${path}?limit=2`)).body).toEqual({
      items: [
        { ...ana, viewer: { isSelf: true, following: false } },
        { ...ben, viewer: { isSelf: false, following: true } },
      ],
      nextCursor: 'k.next.mac',
    });
    expect(requests('listPostLikes')).toEqual([{ postId: POST_ID, limit: 2, cursor: '' }]);
  });

  it('is listed without that for visitors, and with null while social is down', async () => {
    const visitor = (await json('GET', path, { token: null })).body;
    expect(visitor).toMatchObject({
      items: [
        { id: USER_ID, viewer: null },
        { id: OTHER_ID, viewer: null },
      ],
    });
    expect(requests('getRelations')).toEqual([]);
    gateway.social.getRelations = () => Promise.reject(unavailable());
    expect((await json('GET', path)).body).toMatchObject({
      items: [{ viewer: { isSelf: true, following: null } }, { viewer: { isSelf: false, following: null } }],
    });
  });

  it('leaves out those with a block that posts has not heard of', async () => {
    for (const block of [{ blocked: true }, { blockedBy: true }]) {
      gateway.social.getRelations = ({ userIds }) =>
        Promise.resolve({
          relations: userIds.map((userId) => aRelation({ userId, ...(userId === OTHER_ID && block) })),
        });
      expect(await idsAt()).toEqual([USER_ID]);
    }
  });
});
