import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import { aCoachWithPosts, feedIds } from '../support/crowd.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';

const NOWHERE = { status: 404, body: { code: 'not-found' } };
const UNAVAILABLE = {
  status: 503,
  body: {
    code: 'unavailable',
    status: 503,
    detail: 'This part of Pulso is not available right now. Please try again.',
  },
};

describe('with social stopped', () => {
  let pulso: TestPulso;
  let coach: ApiClient;
  let blocker: ApiClient;
  let ben: ApiClient;
  let posts: ApiPost[];

  beforeAll(async () => {
    pulso = await startPulso();
    ({ coach, posts } = await aCoachWithPosts(pulso, 'carla'));
    ben = await pulso.user('ben');
    blocker = (await aCoachWithPosts(pulso, 'blocker')).coach;
    await pulso.drainEvents();
    expect((await ben.put(`/api/users/${coach.userId}/follow`)).status).toBe(200);
    expect((await blocker.put(`/api/users/${ben.userId}/block`)).status).toBe(204);
    await pulso.drainEvents();
    await pulso.stop('social');
  }, 180_000);
  afterAll(() => pulso?.close());

  it('feed, posts, likes and comments work as before, with the same follows', async () => {
    expect(await feedIds(ben)).toEqual([posts[1]!.id, posts[0]!.id]);
    const { body: post } = await ben.post<ApiPost>('/api/posts', { content: 'still here' });
    expect(await feedIds(ben)).toContain(post.id);
    expect((await coach.put(`/api/posts/${post.id}/like`)).status).toBe(200);
    const comment = await coach.post(`/api/posts/${post.id}/comments`, { content: 'me too' });
    expect(comment.status).toBe(201);
    expect((await ben.get<Page<ApiPost>>(`/api/users/${coach.userId}/posts`)).body.items).toHaveLength(2);
    expect((await ben.patch(`/api/posts/${post.id}`, { content: 'changed' })).status).toBe(200);
    expect((await ben.delete(`/api/posts/${post.id}`)).status).toBe(204);
  });

  // Rule: HTTP-19, PEOPLE-2
  it('profiles, the directory and the own account work, without social’s numbers', async () => {
    const unknown = {
      stats: { posts: 2, followers: null, following: null },
      rating: { averageRating: null, totalReviews: null },
      viewer: { isSelf: false, following: null, followsYou: null, reviewed: null, blocked: null },
    };
    for (const path of [coach.userId, 'by-username/carla']) {
      expect(await ben.get(`/api/users/${path}`)).toMatchObject({ status: 200, body: unknown });
    }
    const { body } = await ben.get<Page<{ id: string }>>('/api/coaches');
    expect(body.items).toMatchObject([{ id: coach.userId, ...unknown }]);
    expect((await ben.get('/api/me')).status).toBe(200);
    expect((await ben.patch('/api/me', { bio: 'patient' })).status).toBe(200);
    expect((await pulso.visitor().logIn('ben')).userId).toBe(ben.userId);
  });

  // Rule: PEOPLE-27
  it('a blocked user still does not find the blocker, and no one else is affected', async () => {
    for (const path of [blocker.userId, 'by-username/blocker', `${blocker.userId}/posts`]) {
      expect(await ben.get(`/api/users/${path}`)).toMatchObject(NOWHERE);
      expect((await coach.get(`/api/users/${path}`)).status).toBe(200);
    }
    expect((await blocker.get(`/api/users/${ben.userId}`)).status).toBe(200);
  });

  it('its own calls, and no others, return 503 with a clear text', async () => {
    const review = { rating: 5, comment: 'good' };
    const report = { subjectType: 'comment', subjectId: posts[0]!.id, reason: 'spam' };
    const user = `/api/users/${coach.userId}`;
    const answers = await Promise.all([
      ben.put(`${user}/follow`),
      ben.delete(`${user}/follow`),
      ben.get(`${user}/followers`),
      ben.get(`${user}/following`),
      ben.put(`${user}/block`),
      ben.delete(`${user}/block`),
      ben.get('/api/me/blocks'),
      ben.get(`/api/coaches/${coach.userId}/reviews`),
      ben.call('PUT', `/api/coaches/${coach.userId}/reviews/mine`, review),
      ben.delete(`/api/coaches/${coach.userId}/reviews/mine`),
      ben.post('/api/reports', report),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(UNAVAILABLE);
  });
});
