import { eventOf } from '@pulso/platform/events/event-record';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import type { ApiClient, ApiPost, Page } from '../support/api-client.js';
import { dice, withSeed } from '../support/dice.js';
import { type TestPulso, startPulso } from '../support/start-pulso.js';

const HOUR = 3_600_000;
const BONUS = { subscribed: 3000, followed: 2000, own: 1500 };

describe('the ranked feed over HTTP, with the graph from events', () => {
  let pulso: TestPulso;
  let viewer: ApiClient;
  let coach: ApiClient;
  let friend: ApiClient;
  let stranger: ApiClient;
  let version = Date.now() * 1000;

  beforeAll(async () => {
    pulso = await startPulso();
    viewer = await pulso.user('viewer');
    coach = await pulso.user('carla', { isCoach: true });
    friend = await pulso.user('friend', { isCoach: true });
    stranger = await pulso.user('stranger', { isCoach: true });
    await pulso.drainEvents();
    for (let count = 0; count < 8; count += 1) {
      for (const author of [stranger, coach, viewer, friend]) {
        const visibility = author !== viewer && count % 4 === 3 ? 'subscribers' : 'public';
        const answer = await author.post('/api/posts', { content: `${count}`, visibility });
        expect(answer.status).toBe(201);
      }
    }
  });
  afterAll(() => pulso?.close());

  const follow = async (target: ApiClient, active = true) => {
    const state = { followerId: viewer.userId, targetId: target.userId, version: (version += 1), active };
    await pulso.publish([eventOf(followTopic, state)]);
    await pulso.drainEvents();
  };
  const subscribe = async (target: ApiClient, active = true) => {
    const state = { userId: viewer.userId, coachId: target.userId, version: (version += 1), active };
    await pulso.publish([eventOf(subscriptionTopic, { ...state, accessUntil: undefined })]);
    await pulso.drainEvents();
  };
  const block = async (blocker: ApiClient, blocked: ApiClient, active = true) => {
    const state = { blockerId: blocker.userId, blockedId: blocked.userId, version: (version += 1), active };
    await pulso.publish([eventOf(blockTopic, state)]);
    await pulso.drainEvents();
  };

  /** FEED-3 to FEED-5 by a plain sort. */
  const expected = (posts: ApiPost[], bonusOf: (authorId: string) => number) => {
    const now = Date.now();
    const score = (post: ApiPost) =>
      bonusOf(post.author.id) * HOUR +
      Math.min(1000 * HOUR, Math.max(0, 1000 * HOUR - (now - Date.parse(post.createdAt))));
    return [...posts]
      .sort(
        (a, b) =>
          score(b) - score(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1),
      )
      .map(({ id }) => id);
  };
  const everyPost = async () => {
    const lists = await Promise.all(
      [viewer, coach, friend, stranger].map((author) =>
        author.all<ApiPost>(`/api/users/${author.userId}/posts`),
      ),
    );
    return lists.flat();
  };

  it('ranks by tier, then time, over pages of any size', async () => {
    await follow(friend);
    await follow(coach);
    await subscribe(coach);
    const bonus = new Map([
      [viewer.userId, BONUS.own],
      [friend.userId, BONUS.followed],
      [coach.userId, BONUS.subscribed + BONUS.followed],
    ]);
    const members = (await everyPost()).filter(
      (post) => post.visibility === 'public' || bonus.has(post.author.id),
    );
    const wanted = expected(members, (id) => bonus.get(id) ?? 0);
    for (const limit of [1, 3, 7, 100]) {
      const seen = await viewer.all<ApiPost>('/api/feed', limit);
      expect(seen.map(({ id }) => id)).toEqual(wanted);
    }
    const feed = await viewer.all<ApiPost>('/api/feed');
    const locked = feed.filter((post) => post.locked).map((post) => post.author.id);
    expect(new Set(locked)).toEqual(new Set([friend.userId]));
  });

  it('does not skip or repeat posts while others post between the pages', async () => {
    const first = (await viewer.get<Page<ApiPost>>('/api/feed?limit=5')).body;
    const late = await friend.post<ApiPost>('/api/posts', { content: 'late' });
    const rest: ApiPost[] = [];
    for (let cursor = first.nextCursor; cursor;) {
      const page: Page<ApiPost> = (
        await viewer.get<Page<ApiPost>>(`/api/feed?limit=4&cursor=${encodeURIComponent(cursor)}`)
      ).body;
      rest.push(...page.items);
      cursor = page.nextCursor;
    }
    const ids = [...first.items, ...rest].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(late.body.id);
    expect((await viewer.all<ApiPost>('/api/feed')).map(({ id }) => id)).toContain(late.body.id);
    await friend.delete(`/api/posts/${late.body.id}`);
  });

  // Rule: HTTP-6
  it('refuses a cursor of another viewer, of another list, or changed by one character', async () => {
    const { nextCursor } = (await viewer.get<Page<ApiPost>>('/api/feed?limit=2')).body;
    const bad = { status: 400, body: { code: 'invalid-cursor' } };
    expect(await friend.get(`/api/feed?cursor=${nextCursor}`)).toMatchObject(bad);
    expect(await viewer.get(`/api/users/${friend.userId}/posts?cursor=${nextCursor}`)).toMatchObject(bad);
    const tampered = `${nextCursor!.slice(0, 10)}${nextCursor![10] === 'A' ? 'B' : 'A'}${nextCursor!.slice(11)}`;
    expect(await viewer.get(`/api/feed?cursor=${tampered}`)).toMatchObject(bad);
  });

  it('unlocks with a subscription, and hides in both directions with a block', async () => {
    await subscribe(friend);
    expect((await viewer.all<ApiPost>('/api/feed')).some(({ locked }) => locked)).toBe(false);
    await subscribe(friend, false);
    await block(stranger, viewer);
    const authors = async (client: ApiClient) =>
      new Set((await client.all<ApiPost>('/api/feed')).map((post) => post.author.id));
    expect(await authors(viewer)).not.toContain(stranger.userId);
    expect(await authors(stranger)).not.toContain(viewer.userId);
    const [post] = await stranger.all<ApiPost>(`/api/users/${stranger.userId}/posts`);
    expect((await viewer.get(`/api/posts/${post!.id}`)).status).toBe(404);
    await block(stranger, viewer, false);
    expect(await authors(viewer)).toContain(stranger.userId);
  });

  // Rule: FEED-10
  it(withSeed('accepts events that are repeated and out of order'), async () => {
    const states = Array.from({ length: 20 }, (_, index) => ({
      followerId: viewer.userId,
      targetId: stranger.userId,
      version: (version += 1),
      active: index % 2 === 0,
    }));
    const events = states.map((state) => eventOf(followTopic, state));
    for (const event of dice.shuffled([...events, ...events])) await pulso.publish([event]);
    await pulso.drainEvents();
    const feed = await viewer.all<ApiPost>('/api/feed');
    const visible = feed.filter((post) => post.author.id === stranger.userId);
    expect(visible.every((post) => post.visibility === 'public')).toBe(true);
  });
});
