import { newId } from '@pulso/platform/ids/uuid-v7';
import type { Answer, ApiClient, ApiPost, Page } from '../support/api-client.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';
import { waitFor, waitForEqual } from '../support/wait-for.js';

interface UserRef {
  id: string;
  username: string;
}

interface Profile extends UserRef {
  name: string;
  stats: Record<'posts' | 'followers' | 'following' | 'subscribers', number | null>;
  rating: { averageRating: number | null; totalReviews: number | null };
  viewer: { following: boolean | null; followsYou: boolean | null; blocked: boolean | null } | null;
}

interface Review {
  id: string;
  reviewer: UserRef;
  rating: number;
  comment: string;
  verifiedSubscriber: boolean;
}

interface ReviewPage extends Page<Review> {
  summary: { averageRating: number; totalReviews: number };
  mine: Review | null;
}

/** What others see of it: half of it at most, up to the end of a word (POST-6). */
const PREVIEW = 'for subscribers';
const FOR_SUBSCRIBERS = `${PREVIEW} everlastingly so`;

describe('people', () => {
  let pulso: TestPulso;
  let ana: ApiClient;
  let ben: ApiClient;
  let cora: ApiClient;
  let zoe: ApiClient;

  beforeAll(async () => {
    pulso = await startPulso();
    ana = await pulso.user('ana', { isCoach: true, name: 'Ana Peña', specialties: ['Yoga'] });
    ben = await pulso.user('ben');
    cora = await pulso.user('cora', { isCoach: true, name: 'Cora Diaz', bio: 'CAFÉ y natación.' });
    zoe = await pulso.user('zoe');
    await pulso.drainEvents();
    await publish(ana, { content: 'for all' });
    await publish(ana, { content: FOR_SUBSCRIBERS, visibility: 'subscribers' });
    await publish(zoe, { content: 'newer than Ana’s' });
  });
  afterAll(() => pulso?.close());

  const feedOf = async (client: ApiClient) =>
    (await client.get<Page<ApiPost>>('/api/feed')).body.items.map(({ content }) => content);
  const publish = async (client: ApiClient, fields: Record<string, unknown>) =>
    expect((await client.post('/api/posts', fields)).status).toBe(201);
  const profileOf = async (client: ApiClient, user: ApiClient) =>
    (await client.get<Profile>(`/api/users/${user.userId}`)).body;
  const follow = (client: ApiClient, user: ApiClient) => client.put(`/api/users/${user.userId}/follow`);
  const unfollow = (client: ApiClient, user: ApiClient) => client.delete(`/api/users/${user.userId}/follow`);
  const namesIn = async (client: ApiClient, path: string) =>
    (await client.all<UserRef>(path)).map(({ username }) => username);
  /** The same user on another device: the same token, no `Pulso-After`. */
  const elsewhere = (client: ApiClient) =>
    Object.assign(pulso.visitor(), { accessToken: client.accessToken, userId: client.userId });

  // Rule: FEED-7, HTTP-2, HTTP-3
  it('follow: the viewer’s next feed contains it, and everyone sees the count', async () => {
    expect(await feedOf(ben)).toEqual(['newer than Ana’s', 'for all']);
    expect(await follow(ben, ana)).toMatchObject({
      status: 200,
      body: { following: true, followerCount: 1 },
    });
    const followed = [PREVIEW, 'for all', 'newer than Ana’s'];
    expect(await feedOf(ben)).toEqual(followed);
    expect((await follow(ben, ana)).body).toEqual({ following: true, followerCount: 1 });
    const second = elsewhere(ben);
    // Only that others see a write is tested here. How soon (HTTP-3) is measured by `npm run bench events`.
    await waitForEqual(() => feedOf(second), followed, { what: 'the feed on another device' });

    const seen = await waitFor(
      () => profileOf(cora, ana),
      ({ stats }) => stats.followers === 1,
      { what: 'the follower in the count that others see' },
    );
    expect(seen).toMatchObject({ stats: { followers: 1, posts: 2 }, viewer: { following: false } });
    expect(await profileOf(ben, ana)).toMatchObject({ viewer: { following: true, followsYou: false } });
    expect(await profileOf(ana, ben)).toMatchObject({
      stats: { following: 1 },
      viewer: { followsYou: true },
    });
    expect(await namesIn(pulso.visitor(), `/api/users/${ana.userId}/followers`)).toEqual(['ben']);
    expect(await namesIn(cora, `/api/users/${ben.userId}/following`)).toEqual(['ana']);
  });

  // Rule: HTTP-10
  it('unfollow: the next feed is without the posts; a repeat succeeds', async () => {
    for (const _repeat of [1, 2]) {
      const answer = await unfollow(ben, ana);
      expect([answer.status, answer.body]).toEqual([200, { following: false, followerCount: 0 }]);
      expect(await feedOf(ben)).toEqual(['newer than Ana’s', 'for all']);
    }
    expect(await follow(ben, ben)).toMatchObject({ status: 422, body: { code: 'cannot-follow-self' } });
    const nobody = '0198f2a4-7c10-7b3e-9d61-3f2a8c5e1b07';
    expect((await ben.put(`/api/users/${nobody}/follow`)).status).toBe(404);
    expect((await pulso.visitor().put(`/api/users/${ana.userId}/follow`)).status).toBe(401);
  });

  // Rule: PEOPLE-18
  it('concurrent follows and unfollows from several devices end in the last of them, everywhere', async () => {
    const devices = [1, 2, 3, 4].map(() => elsewhere(ben));
    const answers = await Promise.all(
      devices.flatMap((device, turn) =>
        Array.from({ length: 10 }, (_, index) =>
          // A busy machine may not serve all of them within the time of a request.
          waitFor(
            () => ((index + turn) % 2 === 0 ? follow(device, ana) : unfollow(device, ana)),
            ({ status }) => status !== 503,
            { what: 'an answer to a follow or an unfollow' },
          ),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await pulso.drainEvents();
    const { viewer, stats } = await profileOf(ben, ana);
    expect(stats.followers).toBe(viewer?.following ? 1 : 0);
    expect((await feedOf(ben)).includes(PREVIEW)).toBe(viewer?.following);
    await unfollow(ben, ana);
    expect(await feedOf(ben)).not.toContain(PREVIEW);
  });

  // Rule: PEOPLE-23
  it('block: ends follows and hides the two users from each other everywhere', async () => {
    await follow(ben, ana);
    await follow(ana, ben);
    // Until posts has received his follow, Ben's next write may be answered with 503 (HTTP-3).
    await pulso.drainEvents();
    await publish(ben, { content: 'by Ben' });
    expect((await ana.put(`/api/users/${ben.userId}/block`)).status).toBe(204);
    expect(await feedOf(ana)).not.toContain('by Ben');
    await waitForEqual(() => feedOf(ben), ['by Ben', 'newer than Ana’s'], {
      what: 'the feed without the posts of the blocker',
    });
    // Identity receives the block by itself.
    await pulso.drainEvents();

    const gone = { status: 404, body: { code: 'not-found' } };
    for (const path of ['', '/posts', '/followers', '/following']) {
      expect(await ben.get(`/api/users/${ana.userId}${path}`)).toMatchObject(gone);
    }
    expect(await ben.get('/api/users/by-username/ana')).toMatchObject(gone);
    expect(await ben.get(`/api/coaches/${ana.userId}/reviews`)).toMatchObject(gone);
    expect(await namesIn(ben, '/api/coaches')).toEqual(['cora']);

    expect(await profileOf(ana, ben)).toMatchObject({
      username: 'ben',
      stats: { followers: 0, following: 0 },
      viewer: { blocked: true, following: false, followsYou: false },
    });
    expect(await ana.all<ApiPost>(`/api/users/${ben.userId}/posts`)).toEqual([]);
    expect(await namesIn(ana, '/api/me/blocks')).toEqual(['ben']);
    const refused = { status: 403, body: { code: 'blocked' } };
    expect(await follow(ana, ben)).toMatchObject(refused);
    expect(await follow(ben, ana)).toMatchObject(refused);
    expect((await profileOf(cora, ana)).stats.followers).toBe(0);

    expect((await ana.delete(`/api/users/${ben.userId}/block`)).status).toBe(204);
    expect(await feedOf(ana)).toContain('by Ben');
    const back = await waitFor(
      () => feedOf(ben),
      (feed) => feed.includes('for all'),
      { what: 'the posts of the former blocker in the feed' },
    );
    expect(back).not.toContain(PREVIEW);
    await pulso.drainEvents();
    expect(await profileOf(ben, ana)).toMatchObject({ viewer: { following: false, blocked: false } });
    expect(await namesIn(ana, '/api/me/blocks')).toEqual([]);
  });

  it('reviews: concurrent ones leave one row, and the summary is counted from the rows', async () => {
    const path = `/api/coaches/${ana.userId}/reviews`;
    const put = (client: ApiClient, rating: number): Promise<Answer<Review & { code: string }>> =>
      client.call('PUT', `${path}/mine`, { rating, comment: `${rating} stars` });
    const raced = await Promise.all([1, 2, 3, 4, 5, 4].map((rating) => put(elsewhere(ben), rating)));
    expect(raced.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(raced.map(({ body }) => body.id)).size).toBe(1);
    expect((await put(ben, 4)).status).toBe(200);
    expect((await put(zoe, 5)).status).toBe(201);
    expect((await put(cora, 5)).status).toBe(201);

    const { body: page } = await ben.get<ReviewPage>(`${path}?limit=2`);
    expect(page).toMatchObject({
      items: [{ reviewer: { username: 'cora' }, verifiedSubscriber: false }, { rating: 5 }],
      summary: { averageRating: 4.7, totalReviews: 3 },
      mine: { rating: 4, comment: '4 stars' },
    });
    const all = await pulso.visitor().all<Review>(path, 1);
    expect(all.map(({ reviewer }) => reviewer.username)).toEqual(['cora', 'zoe', 'ben']);
    expect((await pulso.visitor().get<ReviewPage>(path)).body.mine).toBeNull();
    expect((await profileOf(ben, ana)).rating).toEqual(page.summary);

    for (const _repeat of [1, 2]) expect((await cora.delete(`${path}/mine`)).status).toBe(204);
    expect((await ben.get<ReviewPage>(path)).body.summary).toEqual({ averageRating: 4.5, totalReviews: 2 });
    expect(await put(ana, 5)).toMatchObject({ status: 422, body: { code: 'cannot-review-self' } });
    const member = { rating: 5, comment: 'x' };
    expect(await ben.call('PUT', `/api/coaches/${zoe.userId}/reviews/mine`, member)).toMatchObject({
      status: 422,
      body: { code: 'not-a-coach' },
    });
  });

  // Rule: PEOPLE-14
  it('the directory: ignores case and accents in name, bio and specialties, page by page', async () => {
    const directory = (query: string) => pulso.visitor().get<Page<Profile>>(`/api/coaches?${query}`);
    const found = async (query: string) =>
      (await directory(query)).body.items.map(({ username }) => username);
    expect(await found('')).toEqual(['ana', 'cora']);
    expect(await found(`q=${encodeURIComponent('PENA')}`)).toEqual(['ana']);
    expect(await found(`q=${encodeURIComponent('díaz')}`)).toEqual(['cora']);
    expect(await found('q=cafe')).toEqual(['cora']);
    expect(await found('q=natacion')).toEqual(['cora']);
    expect(await found('q=yog')).toEqual(['ana']);
    expect(await found('specialty=Yoga')).toEqual(['ana']);
    expect(await found('specialty=Yo')).toEqual([]);
    expect(await found('q=cora&specialty=Yoga')).toEqual([]);

    const first = (await directory('limit=1')).body;
    expect(first.items).toMatchObject([
      { username: 'ana', stats: { followers: 0, posts: 2 }, rating: { totalReviews: 2 }, viewer: null },
    ]);
    const cursor = encodeURIComponent(first.nextCursor!);
    expect(await found(`limit=1&cursor=${cursor}`)).toEqual(['cora']);
    expect((await directory(`q=a&cursor=${cursor}`)).status).toBe(400);
  });

  // Rule: PEOPLE-17
  it('people search: finds coaches and members by name or username, for those who are signed in', async () => {
    const asked = (q: string) => ben.get<Page<Profile>>(`/api/people?q=${encodeURIComponent(q)}`);
    const found = async (q: string) => (await asked(q)).body.items.map(({ username }) => username);
    expect(await found('DÍAZ')).toEqual(['cora']);
    expect(await found('@zoe')).toEqual(['zoe']);
    expect(await asked('a')).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ path: 'q', message: 'Type at least 2 letters' }] },
    });
    expect((await pulso.visitor().get('/api/people?q=zoe')).status).toBe(401);
  });

  // Rule: PEOPLE-15
  it('the directory by merit: follows what members write in reviews', async () => {
    const byMerit = async (query = '') =>
      (await pulso.visitor().get<Page<Profile>>(`/api/coaches?sort=merit${query}`)).body;
    const names = ({ items }: Page<Profile>) => items.map(({ username }) => username);
    const becomes = (...wanted: string[]) =>
      waitForEqual(async () => names(await byMerit()), wanted, { what: 'the directory by merit' });
    const review = (client: ApiClient, rating: number) =>
      client.call('PUT', `/api/coaches/${cora.userId}/reviews/mine`, { rating, comment: 'Good' });
    // Ana has two reviews, with 9 stars in all.
    await becomes('ana', 'cora');
    await review(ben, 5);
    await review(zoe, 5);
    await becomes('cora', 'ana');

    const first = await byMerit('&limit=1');
    await review(ben, 1);
    await becomes('ana', 'cora');
    const cursor = encodeURIComponent(first.nextCursor!);
    expect(names(await byMerit(`&limit=1&cursor=${cursor}`))).toEqual(['ana']);
    expect((await pulso.visitor().get(`/api/coaches?cursor=${cursor}`)).status).toBe(400);
  });

  // Rule: HTTP-30
  it('ids of nobody are 404 everywhere, however new they look', async () => {
    const post = (await ana.get<Page<ApiPost>>(`/api/users/${ana.userId}/posts`)).body.items[0]!;
    for (const id of [newId(), post.id]) {
      const [user, coach] = [`/api/users/${id}`, `/api/coaches/${id}`];
      const review = { rating: 5, comment: 'Good' };
      const answers = await Promise.all([
        ...[
          ben.get(user),
          ben.get(`${user}/followers`),
          ben.get(`${user}/following`),
          ben.get(`${user}/posts`),
        ],
        ...[ben.put(`${user}/follow`), ben.delete(`${user}/follow`)],
        ...[ben.put(`${user}/block`), ben.delete(`${user}/block`)],
        ...[ben.get(`${coach}/reviews`), ben.call('PUT', `${coach}/reviews/mine`, review)],
        ...[ben.delete(`${coach}/reviews/mine`)],
        ben.post('/api/reports', { subjectType: 'user', subjectId: id, reason: 'spam' }),
        pulso.visitor().get(`${user}/followers`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    }
  });

  it('specialties: everyone sees what a coach adds', async () => {
    await cora.patch('/api/me', { specialties: ['Kettlebells', 'YOGA'] });
    const { items } = (await pulso.visitor().get<{ items: string[] }>('/api/specialties')).body;
    expect(items).toContain('Kettlebells');
    expect(items.filter((item) => /^yoga$/i.test(item))).toHaveLength(1);
  });

  it('reports are stored once per key', async () => {
    const report = { subjectType: 'user', subjectId: zoe.userId, reason: 'spam', note: 'Adverts' };
    const key = { 'idempotency-key': 'report-1' };
    for (const _repeat of [1, 2]) expect((await ben.post('/api/reports', report, key)).status).toBe(202);
    expect(await ben.post('/api/reports', { ...report, reason: 'danger' }, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    });
  });

  it('without social only its own calls fail, and profiles lack its numbers', async () => {
    await pulso.drainEvents();
    await pulso.without('social', async () => {
      expect(await profileOf(ben, ana)).toMatchObject({
        name: 'Ana Peña',
        stats: { posts: 2, followers: null, following: null },
        rating: { averageRating: null, totalReviews: null },
        viewer: { isSelf: false, following: null, blocked: null },
      });
      expect((await ben.get<Page<Profile>>('/api/coaches')).body.items).toHaveLength(2);
      expect(await feedOf(ben)).toContain('for all');
      await publish(ben, { content: 'still here' });
      expect((await ben.get('/api/me')).status).toBe(200);
      expect(await follow(ben, ana)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    });
    // A gateway retries the connection to a service that was down once a second.
    await waitFor(
      () => follow(ben, ana),
      ({ status }) => status === 200,
      { what: 'a follow after the gateway has connected to social again' },
    );
  });
});
