import type { ApiClient, ApiPost } from '../support/api-client.js';
import { aCoachWithPosts } from '../support/crowd.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';
import { waitFor } from '../support/wait-for.js';

// Rule: SUBS-32
describe('with billing stopped', () => {
  let pulso: TestPulso;
  let coach: ApiClient;
  let ben: ApiClient;
  let posts: ApiPost[];

  beforeAll(async () => {
    pulso = await startPulso();
    ({ coach, posts } = await aCoachWithPosts(pulso, 'carla'));
    ben = await pulso.user('ben');
    await pulso.drainEvents();
    expect((await coach.patch('/api/me', { subscriptionPrice: 400 })).status).toBe(200);
    expect((await ben.put(`/api/subscriptions/${coach.userId}`)).status).toBe(201);
    await pulso.drainEvents();
    await pulso.stop('billing');
  }, 180_000);
  afterAll(() => pulso?.close());

  it('whoever is subscribed reads on', async () => {
    for (const { id } of posts) {
      expect((await ben.get<ApiPost>(`/api/posts/${id}`)).body).toMatchObject({ locked: false });
    }
    expect((await ben.post(`/api/posts/${posts[1]!.id}/comments`, { content: 'still here' })).status).toBe(
      201,
    );
  });

  it('profiles have the price, and null for what billing alone knows', async () => {
    const unknown = {
      subscriptionPrice: 400,
      stats: { posts: 2, subscribers: null },
      viewer: { subscribed: null, following: false },
    };
    expect(await ben.get(`/api/users/${coach.userId}`)).toMatchObject({ status: 200, body: unknown });
    expect((await ben.get('/api/coaches')).body).toMatchObject({ items: [unknown] });
  });

  it('signing in and up, posts, follows, messages and the own account work', async () => {
    expect((await pulso.visitor().logIn('ben')).userId).toBe(ben.userId);
    const cora = await pulso.user('cora');
    expect((await cora.get('/api/me')).status).toBe(200);
    const path = `/api/users/${coach.userId}/follow`;
    const followed = await waitFor(
      () => cora.put(path),
      ({ status }) => status !== 503,
      { what: 'social that knows a new user' },
    );
    expect(followed.status).toBe(200);
    expect((await ben.post('/api/messages', { receiverId: coach.userId, content: 'Hello' })).status).toBe(
      201,
    );
    expect((await coach.patch('/api/me', { bio: 'patient' })).status).toBe(200);
  });

  it('a price is not changed, nor anything that is sent with it', async () => {
    expect((await coach.patch('/api/me', { bio: 'other', subscriptionPrice: 500 })).status).toBe(503);
    expect((await coach.get('/api/me')).body).toMatchObject({ bio: 'patient', subscriptionPrice: 400 });
  });

  it('its own calls, and no others, are 503', async () => {
    const answers = await Promise.all([
      ben.get('/api/subscriptions'),
      ben.put(`/api/subscriptions/${coach.userId}`),
      ben.delete(`/api/subscriptions/${coach.userId}`),
      coach.get('/api/dashboard'),
    ]);
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
      answers.map(() => [503, 'unavailable']),
    );
  });
});
