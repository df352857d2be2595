import { jest } from '@jest/globals';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { type Post, Visibility } from '@pulso/contracts/posts/v1/posts';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { MAX_TURNS } from '@pulso/platform/paging/turns';
import { Dice } from '@pulso/platform/testing/seeded';
import { until } from '@pulso/platform/testing/until';
import { LivePosts } from '../src/feed/live-posts.js';
import { fullSortFeed } from './feed-index/feed-oracle.js';
import { type TestPosts, startTestPosts } from './start.js';

/** `npm run soak -- feed` makes more of them. */
const WORLDS = Number(process.env['FEED_WORLDS'] ?? 2);
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);

/** The viewer's expected feed, by a plain sort of everything in the store. */
async function expectedFeed(world: TestPosts, viewerId: string, asOf: number): Promise<string[]> {
  const { raw } = world;
  const [rows, users, follows, blocks, subscriptions] = await Promise.all([
    raw.posts.find().toArray(),
    raw.users.find().toArray(),
    raw.follows.find({ followerId: viewerId, active: true }).toArray(),
    raw.blocks.find({ active: true }).toArray(),
    raw.subscriptions.find({ userId: viewerId, active: true }).toArray(),
  ]);
  const running = subscriptions.filter(({ accessUntil }) => !accessUntil || accessUntil.getTime() > asOf);
  const blocked = blocks.flatMap(({ blockerId, blockedId }) => {
    if (blockerId === viewerId) return blockedId;
    return blockedId === viewerId ? blockerId : [];
  });
  const posts = rows.map(({ _id: id, authorId, visibility, live }) => ({
    id,
    authorId,
    relatedOnly: visibility === 'subscribers',
    deleted: !live,
  }));
  const graph = {
    viewerId,
    following: new Set(follows.map(({ targetId }) => targetId)),
    subscribed: new Set(running.map(({ coachId }) => coachId)),
    blocked: new Set(blocked),
    hidden: new Set(users.filter(({ status }) => status !== 'active').map(({ _id }) => _id)),
  };
  return fullSortFeed(posts, graph, { asOf, limit: 10_000 }).items.map(({ id }) => id);
}

/** A random world of users, their graph, and posts written, edited and deleted in the past. */
async function populate(world: TestPosts, clock: ManualClock, dice: Dice): Promise<string[]> {
  clock.set(NOW);
  const users: string[] = [];
  for (let count = 0; count < 7; count++) users.push(await (count < 5 ? world.coach() : world.user()));
  const visibility = () =>
    dice.chance(0.4) ? Visibility.VISIBILITY_SUBSCRIBERS : Visibility.VISIBILITY_PUBLIC;
  for (let count = 0; count < 60; count++) {
    const author = users[dice.below(5)]!;
    clock.set(NOW - dice.pick([0, 5, dice.below(20 * HOUR), dice.below(1500 * HOUR), 1000 * HOUR]));
    const { id } = await world.publish(author, `post ${count}`, visibility());
    if (dice.chance(0.15)) await world.as(author, (posts) => posts.deletePost({ id }));
    else if (dice.chance(0.2))
      await world.as(author, (posts) => posts.editPost({ id, visibility: visibility() }));
  }
  clock.set(NOW);
  const events: Promise<void>[] = [];
  for (const from of users) {
    for (const to of users) {
      if (from === to) continue;
      if (dice.chance(0.4)) events.push(world.follow(from, to, dice.chance(0.8)));
      if (dice.chance(0.08)) events.push(world.block(from, to, dice.chance(0.7)));
      const accessUntil = [undefined, NOW + HOUR, NOW - 1][dice.below(3)];
      if (dice.chance(0.3)) events.push(world.subscribe(from, to, dice.chance(0.8), accessUntil));
    }
  }
  await Promise.all(events);
  return users;
}

describe('the feed', () => {
  const clock = new ManualClock(NOW);
  let world: TestPosts;
  beforeEach(async () => {
    clock.set(NOW);
    world = await startTestPosts({ clock });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world?.close();
  });

  const page = (viewer: string, limit: number, cursor: string) =>
    world.as(viewer, (posts) => posts.getFeed({ limit, cursor }));
  const whole = (viewer: string, limit: number) => world.all<Post>((cursor) => page(viewer, limit, cursor));

  it.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
    'equals the plain sort of random world %d, with suspensions, before and after a restart',
    async (seed) => {
      const dice = new Dice(seed);
      const users = await populate(world, clock, dice);
      const check = async () => {
        for (const viewer of users) {
          const wanted = await expectedFeed(world, viewer, clock.now());
          for (const limit of [1 + dice.below(6), 100]) {
            expect((await whole(viewer, limit)).map(({ id }) => id)).toEqual(wanted);
          }
        }
      };
      await check();
      const suspendSome = async () => {
        for (const id of users.slice(0, 5)) {
          const status = dice.chance(0.4) ? UserStatus.USER_STATUS_SUSPENDED : UserStatus.USER_STATUS_ACTIVE;
          if (dice.chance(0.6)) await world.publishUser({ id, status, isCoach: true });
        }
      };
      await suspendSome();
      await check();
      await world.restart();
      await check();
      await suspendSome();
      await check();
      // Subscriptions end without an event.
      clock.advance(2 * HOUR);
      await check();
    },
    300_000,
  );

  // Rule: FEED-6
  it('neither skips nor repeats posts while others post, delete and like between pages', async () => {
    const dice = new Dice(99);
    const users = await populate(world, clock, dice);
    const viewer = users[6]!;
    const wanted = await expectedFeed(world, viewer, clock.now());
    const gone = new Set<string>();
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { items, nextCursor } = await page(viewer, 1 + dice.below(4), cursor);
      for (const { id } of items) expect(gone.has(id)).toBe(false);
      seen.push(...items.map(({ id }) => id));
      if (nextCursor === '') break;
      cursor = nextCursor;
      clock.advance(1 + dice.below(HOUR / 10));
      await world.publish(users[dice.below(5)]!, 'meanwhile');
      const victim = dice.pick(wanted);
      const author = (await world.raw.posts.findOne({ _id: victim }))!.authorId;
      if (!gone.has(victim)) await world.as(author, (posts) => posts.deletePost({ id: victim }));
      gone.add(victim);
      const [liked] = items;
      if (liked && !liked.locked && !gone.has(liked.id)) {
        await world.as(viewer, (posts) => posts.likePost({ postId: liked.id }));
      }
    }
    const reached = new Set(seen);
    expect(reached.size).toBe(seen.length);
    expect(seen).toEqual(wanted.filter((id) => reached.has(id)));
    for (const id of wanted) expect(reached.has(id) || gone.has(id)).toBe(true);
  });

  // Rule: FEED-9
  it('counts the posts that are newer than a cursor’s clock, up to 20, and none that the viewer does not see', async () => {
    const [viewer, author, blocked] = [await world.user(), await world.user(), await world.user()];
    await world.block(viewer, blocked);
    for (let count = 0; count < 2; count++) await world.publish(author, 'old');
    clock.advance(1000);
    const { nextCursor } = await page(viewer, 1, '');
    const newer = async () =>
      (await world.as(viewer, (posts) => posts.countNewerPosts({ cursor: nextCursor }))).count;
    expect(await newer()).toBe(0);
    clock.advance(1000);
    const { id } = await world.publish(author, 'new');
    await world.publish(blocked, 'not for everyone');
    expect(await newer()).toBe(1);
    // Like a write of another replica, before this one's tail has polled.
    await world.raw.posts.updateOne({ _id: id }, { $set: { live: false } });
    await world.restart();
    expect(await newer()).toBe(0);
    for (let count = 0; count < 21; count++) await world.publish(author, 'more');
    expect(await newer()).toBe(20);
    const other = world.as(author, (posts) => posts.countNewerPosts({ cursor: nextCursor }));
    await expect(other).rejects.toMatchObject({ code: 'invalid-cursor' });
  });

  // Rule: FEED-2
  it('fills a page up when items are deleted without the index knowing', async () => {
    const author = await world.user();
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) {
      clock.advance(1000);
      ids.unshift((await world.publish(author, `${count}`)).id);
    }
    await world.restart();
    // Like a write of another replica, before this one's tail has polled.
    await world.raw.posts.updateMany({ _id: { $in: [ids[0]!, ids[2]!] } }, { $set: { live: false } });
    const { items, nextCursor } = await page(author, 3, '');
    expect(items.map(({ id }) => id)).toEqual([ids[1], ids[3], ids[4]]);
    expect((await page(author, 3, nextCursor)).items.map(({ id }) => id)).toEqual([ids[5]]);
  });

  // Rule: FEED-2, HTTP-5
  it('answers a short page with a cursor when too many items are gone without the index knowing', async () => {
    const author = await world.user();
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) {
      clock.advance(1000);
      ids.unshift((await world.publish(author, `${count}`)).id);
    }
    await world.restart();
    await world.raw.posts.deleteMany({ _id: { $in: ids.slice(1, 39) } });
    const pages = jest.spyOn(world.running.get(LivePosts).index, 'page');
    const first = await page(author, 2, '');
    expect(pages.mock.calls.length).toBeLessThanOrEqual(MAX_TURNS);
    expect(first.items.map(({ id }) => id)).toEqual([ids[0]]);
    expect(first.nextCursor).not.toBe('');
    expect((await whole(author, 2)).map(({ id }) => id)).toEqual([ids[0], ids[39]]);
  });

  // Rule: FEED-2
  it('reads no more for a page when the newest posts are those of a suspended author', async () => {
    const [viewer, author, spammer] = [await world.user(), await world.user(), await world.user()];
    const kept: string[] = [];
    for (let count = 0; count < 5; count++) kept.unshift((await world.publish(author, 'kept')).id);
    clock.advance(1000);
    for (let count = 0; count < 100; count++) await world.publish(spammer, 'buy');
    await world.publishUser({ id: spammer, status: UserStatus.USER_STATUS_SUSPENDED });
    const replica = await world.startReplica();
    const turnsOf = [world.running, replica.running].map((running) =>
      jest.spyOn(running.get(LivePosts).index, 'page'),
    );
    try {
      const here = (await page(viewer, 3, '')).items;
      const ask = () => replica.client.getFeed({ limit: 3, cursor: '' });
      const there = (await world.asWith(viewer, [], ask)).answer.items;
      for (const items of [here, there]) expect(items.map(({ id }) => id)).toEqual(kept.slice(0, 3));
      for (const taken of turnsOf) expect(taken).toHaveBeenCalledTimes(1);
    } finally {
      await replica.stop();
    }
  });

  // Rule: FEED-2, PEOPLE-38
  it('follows suspensions and reinstatements on a replica that has no events of them', async () => {
    const [viewer, author] = [await world.user(), await world.user()];
    const { id } = await world.publish(author, 'x');
    const replica = await world.startReplica();
    world.bus.oneReplica = true;
    try {
      const turnsTo = (wanted: string[], what: string) => {
        const isIt = async () => {
          const ask = () => replica.client.getFeed({ limit: 3, cursor: '' });
          const { items } = (await world.asWith(viewer, [], ask)).answer;
          return items.map((post) => post.id).join() === wanted.join();
        };
        return until(isIt, { what: `${what} in the feed of the other replica` });
      };
      await turnsTo([id], 'the post');
      await world.publishUser({ id: author, status: UserStatus.USER_STATUS_SUSPENDED });
      await turnsTo([], 'no post of the suspended author');
      await world.publishUser({ id: author, status: UserStatus.USER_STATUS_ACTIVE });
      await turnsTo([id], 'the post of the reinstated author');
    } finally {
      world.bus.oneReplica = false;
      await replica.stop();
    }
  });

  // Rule: FEED-1
  it('shows locked cards to followers, nothing to strangers, and current likes and counts', async () => {
    const [coach, follower, stranger] = [await world.coach(), await world.user(), await world.user()];
    await world.follow(follower, coach);
    const open = await world.publish(coach, 'open');
    clock.advance(1);
    const secret = await world.publish(coach, 'x'.repeat(201), Visibility.VISIBILITY_SUBSCRIBERS);
    await world.as(stranger, (posts) => posts.likePost({ postId: open.id }));
    await world.comment(stranger, open.id, 'nice');

    expect(await page(follower, 0, '')).toMatchObject({
      items: [
        { id: secret.id, locked: true, truncated: true, content: 'x'.repeat(100) },
        { id: open.id, likeCount: 1, commentCount: 1, likedByViewer: false },
      ],
      nextCursor: '',
    });
    expect(await page(stranger, 0, '')).toMatchObject({ items: [{ id: open.id, likedByViewer: true }] });
    await world.as(stranger, (posts) => posts.unlikePost({ postId: open.id }));
    expect(await page(stranger, 0, '')).toMatchObject({
      items: [{ id: open.id, likedByViewer: false, likeCount: 0 }],
    });
    await world.subscribe(follower, coach);
    expect((await page(follower, 0, '')).items[0]).toMatchObject({ locked: false, content: 'x'.repeat(201) });
  });

  // Rule: FEED-8, HTTP-6
  it('requires a caller, and binds cursors to them', async () => {
    const [viewer, other] = [await world.user(), await world.user()];
    for (let count = 0; count < 3; count++) await world.publish(viewer, `${count}`);
    await expect(world.as(null, (posts) => posts.getFeed({ limit: 0, cursor: '' }))).rejects.toMatchObject({
      code: 'not-authenticated',
    });
    const { nextCursor } = await page(viewer, 1, '');
    await expect(page(other, 1, nextCursor)).rejects.toMatchObject({ code: 'invalid-cursor' });
    await expect(
      page(viewer, 1, `${nextCursor.slice(0, -1)}${nextCursor.endsWith('A') ? 'B' : 'A'}`),
    ).rejects.toMatchObject({ code: 'invalid-cursor' });
    await expect(page(viewer, 101, '')).rejects.toMatchObject({ code: 'validation-failed' });
  });

  it('is the same on a second replica, which follows the store', async () => {
    const [author, viewer] = [await world.user(), await world.user()];
    const replica = await world.startReplica();
    const there = async () =>
      (await world.asWith(viewer, [], () => replica.client.getFeed({ limit: 0, cursor: '' }))).answer.items;
    const eventually = (what: string, condition: (items: Post[]) => boolean) =>
      until(async () => condition(await there()), { what: `${what} on the second replica` });
    try {
      const { id } = await world.publish(author, 'first');
      await eventually('the post', (items) => items[0]?.id === id);
      await world.as(author, (posts) => posts.editPost({ id, content: 'second' }));
      await eventually('its new text', (items) => items[0]?.content === 'second');
      await world.as(author, (posts) => posts.likePost({ postId: id }));
      await eventually('its like', (items) => items[0]?.likeCount === 1);
      await world.as(viewer, (posts) => posts.likePost({ postId: id }));
      await eventually("the viewer's like", (items) => items[0]?.likedByViewer === true);
      await world.as(author, (posts) => posts.deletePost({ id }));
      await eventually('its deletion', (items) => items.length === 0);
      for (const check of Object.values(replica.running.checks)) await check();
    } finally {
      await replica.stop();
    }
  });

  // Rule: FEED-7
  it('shows callers their latest writes on another replica', async () => {
    const author = await world.user();
    const replica = await world.startReplica();
    try {
      const feed = async (after: Parameters<TestPosts['asWith']>[1]) =>
        (await world.asWith(author, after, () => replica.client.getFeed({ limit: 0, cursor: '' }))).answer
          .items;
      const published = await world.asWith(author, [], () =>
        world.client.publishPost({ content: 'x', visibility: 0, images: [], idempotency: undefined }),
      );
      const { id } = published.answer;
      expect(await feed(published.wrote)).toMatchObject([{ id, content: 'x' }]);
      const liked = await world.asWith(author, [], () => world.client.likePost({ postId: id }));
      expect(await feed(liked.wrote)).toMatchObject([{ likedByViewer: true, likeCount: 1 }]);
      const commented = await world.asWith(author, [], () =>
        world.client.addComment({ postId: id, content: 'y', idempotency: undefined }),
      );
      expect(await feed(commented.wrote)).toMatchObject([{ commentCount: 1 }]);
      const deleted = await world.asWith(author, [], () => world.client.deletePost({ id }));
      expect(await feed(deleted.wrote)).toEqual([]);
    } finally {
      await replica.stop();
    }
  });
});
