import { type Post, Visibility } from '@pulso/contracts/posts/v1/posts';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { fullSortFeed } from './feed-index/feed-oracle.js';
import { Dice } from '@pulso/platform/testing/seeded';
import { until } from '@pulso/platform/testing/until';
import { type TestPosts, startTestPosts } from './support/start-test-posts.js';

const WORLDS = Number(process.env['FEED_WORLDS'] ?? 3);
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);

/** The viewer's expected feed, by a plain sort of everything in the store. */
async function expectedFeed(world: TestPosts, viewerId: string, asOf: number): Promise<string[]> {
  const { raw } = world;
  const [rows, follows, blocks, subscriptions] = await Promise.all([
    raw.posts.find().toArray(),
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
    visibility,
    deleted: !live,
  }));
  const graph = {
    viewerId,
    following: new Set(follows.map(({ targetId }) => targetId)),
    subscribed: new Set(running.map(({ coachId }) => coachId)),
    blocked: new Set(blocked),
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
  afterEach(() => world?.close());

  const page = (viewer: string, limit: number, cursor: string) =>
    world.as(viewer, (posts) => posts.getFeed({ limit, cursor }));
  const whole = (viewer: string, limit: number) => world.all<Post>((cursor) => page(viewer, limit, cursor));

  it.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
    'equals the plain sort of random world %d, before and after a restart',
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
      await world.restart();
      await check();
      // Subscriptions end without an event.
      clock.advance(2 * HOUR);
      await check();
    },
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

  // Rule: FEED-1
  it('shows locked cards to followers, nothing to strangers, and current likes and counts', async () => {
    const [coach, follower, stranger] = [await world.coach(), await world.user(), await world.user()];
    await world.follow(follower, coach);
    const open = await world.publish(coach, 'open');
    clock.advance(1);
    const secret = await world.publish(coach, 'x'.repeat(101), Visibility.VISIBILITY_SUBSCRIBERS);
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
    expect((await page(follower, 0, '')).items[0]).toMatchObject({ locked: false, content: 'x'.repeat(101) });
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
        world.client.publishPost({ content: 'x', visibility: 0, idempotency: undefined }),
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
