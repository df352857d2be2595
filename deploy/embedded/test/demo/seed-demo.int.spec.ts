import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MARKETING } from '@pulso/gateway/config';
import { createLogger } from '@pulso/platform/logging/logger';
import { callAs } from '../../src/call-as.js';
import { type RunningPulso, composePulso } from '../../src/compose-pulso.js';
import { type Databases, createDatabases, databasesOn, dropDatabases } from '../../src/databases.js';
import { DEMO_CONVERSATIONS } from '../../src/demo/conversations.js';
import { dressDemo } from '../../src/demo/dress-demo.js';
import { DEMO_PASSWORD, DEMO_PEOPLE, DEMO_REVIEWS } from '../../src/demo/people.js';
import { DEMO_POSTS } from '../../src/demo/posts.js';
import { SeedClock } from '../../src/demo/seed-clock.js';
import { seedDemo } from '../../src/demo/seed-demo.js';
import { DEMO_SUBSCRIPTIONS } from '../../src/demo/subscriptions.js';
import { type Secrets, newSecrets } from '../../src/launcher/data-directory.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

// Rule: DEMO-1, DEMO-2
describe('the seed of the demo', () => {
  const postgresUrl = process.env['PULSO_TEST_POSTGRES_URL']!;
  const objectsDirectory = join(tmpdir(), `demo-${randomUUID()}`);
  const clock = new SeedClock();
  let databases: Databases;
  let secrets: Secrets;
  let pulso: RunningPulso;
  let seededAt: number;

  beforeAll(async () => {
    const mongodbUrl = process.env['PULSO_TEST_MONGODB_URL']!;
    databases = databasesOn({ postgresUrl, mongodbUrl }, `demo_${randomUUID().slice(0, 8)}`);
    await createDatabases(postgresUrl, databases);
    secrets = await newSecrets();
    pulso = await composePulso({
      objectsDirectory,
      databases,
      secrets,
      port: 0,
      operationsPort: 0,
      publicUrl: 'http://localhost',
      trustedProxies: 1,
      rateLimitFactor: 0,
      staticDirectory: null,
      maxEventLoopDelayMs: 0,
      marketing: MARKETING,
      clock,
      logger: createLogger({ service: 'demo', level: 'silent' }),
    });
    seededAt = Date.now();
    // As if it had been stopped at the first step.
    expect(await seed(AbortSignal.abort())).toBe(false);
    expect(await seed()).toBe(true);
  }, 180_000);
  afterAll(async () => {
    await pulso?.close();
    await dropDatabases(postgresUrl, databases);
    await rm(objectsDirectory, { recursive: true, force: true });
  });

  const folder = join(import.meta.dirname, '../../demo-media');
  /** The launcher does the second part beside its use. */
  const seed = async (stopping = new AbortController().signal) => {
    const seeded = await seedDemo({ pulso, clock, signingKeys: secrets.signingKeys });
    return dressDemo({ ...seeded, folder, isFree: true, stopping });
  };

  /** Reads the API as a person of the demo. */
  async function reader() {
    const { accessToken } = await logIn('alex@demo.pulso.fit');
    await pulso.drainEvents();
    return async <T>(path: string) => {
      const answer = await fetch(`${pulso.url}${path}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      expect([path, answer.status]).toEqual([path, 200]);
      return (await answer.json()) as T;
    };
  }

  /** Everything that a person of the demo may read, without what changes from second to second. */
  async function content() {
    const read = await reader();
    const people = [];
    for (const { username } of DEMO_PEOPLE) {
      const user = await read<DemoUser>(`/api/users/by-username/${username}`);
      const posts = await read<{ items: Post[] }>(`/api/users/${user.id}/posts?limit=50`);
      const reviews = user.isCoach
        ? await read<{ items: Review[] }>(`/api/coaches/${user.id}/reviews?limit=50`)
        : null;
      people.push({ user, posts: posts.items, reviews: reviews?.items ?? [] });
    }
    return people;
  }

  const logIn = (email: string) => {
    const device = { userAgent: 'test', address: '127.0.0.1' };
    const request = { email, password: DEMO_PASSWORD, device };
    return callAs(undefined, () => pulso.clients.identity.logIn(request));
  };

  it('makes people, follows, posts with likes and comments, and reviews, at times of the past', async () => {
    const people = await content();
    for (const [index, { user, posts, reviews }] of people.entries()) {
      const { username, isCoach, joinedDaysAgo } = DEMO_PEOPLE[index]!;
      expect(user).toMatchObject({
        username,
        isCoach,
        ...(isCoach && { subscriptionPrice: 400, subscriptionCurrency: 'MXN' }),
        stats: {
          posts: DEMO_POSTS.filter(({ author }) => author === username).length,
          followers: DEMO_PEOPLE.filter(({ follows }) => follows.includes(username)).length,
          following: DEMO_PEOPLE[index]!.follows.length,
        },
      });
      expect(Math.abs(Date.parse(user.createdAt) - (seededAt - joinedDaysAgo * DAY_MS))).toBeLessThan(
        HOUR_MS,
      );
      expect(reviews).toHaveLength(DEMO_REVIEWS.filter(({ coach }) => coach === username).length);
      const written = DEMO_POSTS.filter(({ author }) => author === username).reverse();
      expect(posts).toHaveLength(written.length);
      for (const [place, post] of posts.entries()) {
        // Of a locked post a visitor sees the beginning.
        const whole = written[place]!.content;
        expect([post.content, whole.startsWith(post.content)]).toEqual([expect.any(String), true]);
        expect(post.content === whole).toBe(!post.truncated);
        const { hoursAgo, likedBy = [], comments = [] } = written[place]!;
        expect([post.imageCount, post.hasVideo]).toEqual([
          written[place]!.pictures?.length ?? 0,
          written[place]!.video !== undefined,
        ]);
        expect([post.likeCount, post.commentCount]).toEqual([likedBy.length, comments.length]);
        // It has gone by billing.
        expect(post.author.subscriptionPrice).toBe(isCoach ? 400 : null);
        // The minutes differ from post to post.
        const hours = (seededAt - Date.parse(post.createdAt)) / HOUR_MS;
        expect(Math.floor(hours - hoursAgo + 0.01)).toBe(0);
      }
    }
  }, 180_000);

  // Rule: DEMO-7
  it('gives everybody a face, conversations and subscriptions, of the past too', async () => {
    const people = await content();
    for (const { user } of people) expect(user.profileImage).toMatch(/^\/media\/.*\/avatar$/);
    const read = await reader();
    const { items } = await read<{ items: Conversation[] }>('/api/conversations?limit=50');
    const own = DEMO_CONVERSATIONS.filter(({ between }) => between.includes('alex-rivera'));
    for (const { between, lines, unreadBy } of own) {
      const other = between.find((name) => name !== 'alex-rivera')!;
      const there = items.find(({ otherUser }) => otherUser.username === other)!;
      expect(there).toMatchObject({
        unreadCount: unreadBy === 'alex-rivera' ? 1 : 0,
        lastMessage: { content: lines.at(-1)![2] },
      });
    }
    for (const { lastActivity } of items) expect(Date.parse(lastActivity)).toBeLessThan(seededAt - DAY_MS);
    const subscriptions = await read<{ items: Subscription[] }>('/api/subscriptions?status=all');
    const expected = DEMO_SUBSCRIPTIONS.filter(({ member }) => member === 'alex-rivera');
    const told = new Map(subscriptions.items.map(({ coach, status }) => [coach.username, status]));
    expect(told).toEqual(
      new Map(expected.map(({ coach, endedDaysAgo }) => [coach, endedDaysAgo ? 'cancelled' : 'active'])),
    );
  }, 60_000);

  // Rule: ACCT-37
  it('takes the addresses of its people for verified', async () => {
    const read = await reader();
    expect(await read('/api/me')).toMatchObject({ email: 'alex@demo.pulso.fit', emailVerified: true });
  });

  // Rule: NOTIF-3
  it('notifies of them at their times', async () => {
    const read = await reader();
    const { items } = await read<{ items: Notification[] }>('/api/notifications?limit=100');
    const comments = items.filter(({ type }) => type === 'comment');
    expect(comments.length).toBeGreaterThan(0);
    for (const { postId, commentId, createdAt } of comments) {
      const told = await read<{ items: Post[] }>(`/api/posts/${postId}/comments?limit=100`);
      expect(createdAt).toBe(told.items.find(({ id }) => id === commentId)!.createdAt);
    }
    expect(items.filter(({ createdAt }) => Date.parse(createdAt) > seededAt - HOUR_MS / 6)).toEqual([]);
  });

  it('changes nothing when it is repeated', async () => {
    const before = await content();
    await seed();
    const after = await content();
    expect(after).toEqual(before);
  }, 180_000);

  it('lets nobody else write into the past', async () => {
    const before = Date.now();
    const { accessToken } = await logIn('alex@demo.pulso.fit');
    const answer = await fetch(`${pulso.url}/api/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Now', visibility: 'public' }),
    });
    expect(answer.status).toBe(201);
    expect(Date.parse(((await answer.json()) as Post).createdAt)).toBeGreaterThanOrEqual(before);
  });

  // Rule: LIMIT-14
  it('is signed in to from the address that a trusted proxy tells', async () => {
    const signedIn = await fetch(`${pulso.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.66' },
      body: JSON.stringify({ email: 'alex@demo.pulso.fit', password: DEMO_PASSWORD }),
    });
    const { accessToken } = (await signedIn.json()) as { accessToken: string };
    const answer = await fetch(`${pulso.url}/api/auth/sessions`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const { items } = (await answer.json()) as { items: { address: string; current: boolean }[] };
    expect(items.find(({ current }) => current)?.address).toBe('203.0.113.66');
  });
});

interface Conversation {
  otherUser: { username: string };
  lastActivity: string;
}
interface Subscription {
  coach: { username: string };
  status: string;
}
interface DemoUser {
  id: string;
  profileImage: string;
  isCoach: boolean;
  createdAt: string;
}
interface Post {
  id: string;
  author: { subscriptionPrice: number | null };
  content: string;
  truncated: boolean;
  likeCount: number;
  commentCount: number;
  imageCount: number;
  hasVideo: boolean;
  createdAt: string;
}
interface Review {
  id: string;
}
interface Notification {
  type: string;
  postId: string | null;
  commentId: string | null;
  createdAt: string;
}
