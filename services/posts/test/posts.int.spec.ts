import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { userTopic } from '@pulso/contracts/topics/identity';
import { postTopic } from '@pulso/contracts/topics/posts';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { type TestPosts, startTestPosts } from './start.js';

describe('posts', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterAll(() => posts?.close());

  const read = (viewer: string | null, id: string) => posts.as(viewer, (client) => client.getPost({ id }));
  const edit = (viewer: string, request: { id: string; content?: string; visibility?: Visibility }) =>
    posts.as(viewer, (client) => client.editPost(request));

  // Rule: POST-1
  it('publishes a text post and reads it back', async () => {
    const author = await posts.user({ name: 'Grace' });
    const published = await posts.publish(author, '  hello \n');
    expect(published.editedAt).toBeUndefined();
    expect(published).toMatchObject({
      content: 'hello',
      truncated: false,
      likeCount: 0,
      commentCount: 0,
      locked: false,
      author: { id: author, name: 'Grace' },
      permissions: { edit: true, delete: true, like: true, comment: true },
    });
    expect(await read(author, published.id)).toEqual(published);
    const visitor = await read(null, published.id);
    expect(visitor.permissions).toEqual({ edit: false, delete: false, like: false, comment: false });
    const other = await read(await posts.user(), published.id);
    expect(other.permissions).toEqual({ edit: false, delete: false, like: true, comment: true });
  });

  // Rule: POST-1
  it.each([
    ['nothing', '', 'Please add some content, images, or video to your post.'],
    ['nothing to see', ' \u200b\n', 'Please add some content, images, or video to your post.'],
    ['control characters', 'a\u0000b', 'Contains control characters'],
    ['more than 10000 code points', 'x'.repeat(10_001), 'Must be at most 10000 characters'],
  ])('refuses to publish %s', async (_, content, message) => {
    const author = await posts.user();
    await expect(posts.publish(author, content)).rejects.toMatchObject({
      kind: 'invalid-argument',
      code: 'validation-failed',
      message,
      details: { errors: [{ path: 'content', message }] },
    });
    expect(await posts.statsOf(author)).toMatchObject({ posts: 0 });
  });

  // Rule: POST-1
  it('takes the longest text, counted in code points', async () => {
    const author = await posts.user();
    const text = '😀'.repeat(10_000);
    expect((await posts.publish(author, text)).content).toBe(text);
  });

  // Rule: POST-3
  it('allows subscribers-only posts to coaches only, by its own projection', async () => {
    const member = await posts.user();
    const refused = { kind: 'permission-denied', code: 'permission-denied' };
    await expect(posts.publish(member, 'x', Visibility.VISIBILITY_SUBSCRIBERS)).rejects.toMatchObject(
      refused,
    );
    const post = await posts.publish(member, 'x');
    await expect(
      edit(member, { id: post.id, visibility: Visibility.VISIBILITY_SUBSCRIBERS }),
    ).rejects.toMatchObject(refused);
    await posts.publishUser({ id: member, isCoach: true });
    const edited = await edit(member, { id: post.id, visibility: Visibility.VISIBILITY_SUBSCRIBERS });
    expect(edited.visibility).toBe(Visibility.VISIBILITY_SUBSCRIBERS);
    await posts.publishUser({ id: member, isCoach: false });
    expect(
      await edit(member, { id: post.id, content: 'y', visibility: Visibility.VISIBILITY_SUBSCRIBERS }),
    ).toMatchObject({ content: 'y', visibility: Visibility.VISIBILITY_SUBSCRIBERS });
  });

  // Rule: HTTP-30, POST-3
  it('is unavailable, never forbidden, for a caller whose state has not arrived', async () => {
    await expect(posts.publish(newId(), 'x')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  // Rule: HTTP-30
  it('lists the posts of nobody as not found, and of a user whom a token names as unavailable until they arrive', async () => {
    const userId = newId();
    const hasty = await posts.startReplica({ READ_WAIT_MS: '0', WRITE_WAIT_MS: '0' });
    onTestEnd(() => hasty.stop());
    const list = () => hasty.client.listUserPosts({ userId, limit: 0, cursor: '' });
    await expect(posts.as(null, list)).rejects.toMatchObject({ kind: 'not-found' });
    const after = [{ topic: userTopic.name, key: userId, version: 1 }];
    await expect(posts.asWith(null, after, list)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  // Rule: POST-4
  it('edits by the author only, and does not count a request without changes as an edit', async () => {
    const author = await posts.user();
    const post = await posts.publish(author, 'first');
    expect(await edit(author, { id: post.id })).toEqual(post);
    expect(await edit(author, { id: post.id, content: ' first ' })).toEqual(post);
    const same = await posts.asWith(author, [], () => posts.client.editPost({ id: post.id }));
    expect(same.wrote).toMatchObject([{ topic: postTopic.name, key: post.id }]);
    const edited = await edit(author, { id: post.id, content: 'second' });
    expect(edited.content).toBe('second');
    expect(edited.editedAt).toBe(edited.updatedAt);
    expect(edited.editedAt).toBeGreaterThanOrEqual(post.createdAt);
    expect(await read(null, post.id)).toMatchObject({ content: 'second' });
    await expect(edit(author, { id: post.id, content: ' ' })).rejects.toMatchObject({
      message: 'Post must have content or at least one image',
    });
    await expect(edit(await posts.user(), { id: post.id, content: 'x' })).rejects.toMatchObject({
      kind: 'permission-denied',
    });
    await expect(edit(author, { id: newId(), content: 'x' })).rejects.toMatchObject({ kind: 'not-found' });
  });

  // Rule: POST-9
  it('deletes by the author only, once', async () => {
    const author = await posts.user();
    const { id } = await posts.publish(author, 'bye');
    const remove = (caller: string) => posts.as(caller, (client) => client.deletePost({ id }));
    await expect(remove(await posts.user())).rejects.toMatchObject({ kind: 'permission-denied' });
    await remove(author);
    await expect(remove(author)).rejects.toMatchObject({ kind: 'not-found', message: 'Post not found' });
    await expect(read(author, id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await posts.raw.posts.findOne({ _id: id })).toMatchObject({ live: false, content: '' });
  });

  it.each(['nonsense', '', 'not-a-uuid-at-all', newId().toUpperCase(), newId()])(
    'does not find %j',
    async (id) => {
      await expect(read(null, id)).rejects.toMatchObject({ kind: 'not-found' });
    },
  );

  // Rule: POST-11
  it('lists an author’s posts newest first, in pages bound to viewer and list', async () => {
    const [author, other] = [await posts.user(), await posts.user()];
    const ids: string[] = [];
    for (let count = 0; count < 7; count++) ids.unshift((await posts.publish(author, `${count}`)).id);
    const list = (viewer: string | null, userId: string, limit: number, cursor: string) =>
      posts.as(viewer, (client) => client.listUserPosts({ userId, limit, cursor }));
    for (const limit of [1, 3, 7, 100]) {
      const listed = await posts.all((cursor) => list(other, author, limit, cursor));
      expect(listed.map(({ id }) => id)).toEqual(ids);
    }
    const { nextCursor } = await list(other, author, 2, '');
    for (const bad of [
      list(author, author, 2, nextCursor),
      list(other, other, 2, nextCursor),
      list(other, author, 2, `${nextCursor}x`),
    ]) {
      await expect(bad).rejects.toMatchObject({ kind: 'invalid-argument', code: 'invalid-cursor' });
    }
    for (const limit of [-1, 101]) {
      await expect(list(other, author, limit, '')).rejects.toMatchObject({ code: 'validation-failed' });
    }
    await expect(list(other, newId(), 2, '')).rejects.toMatchObject({ kind: 'not-found' });
  });

  // Rule: PEOPLE-5
  // Rule: HTTP-39
  it('lists what everybody may read, newest first, with the time of its last change', async () => {
    const [coach, gone] = [await posts.user({ isCoach: true }), await posts.user()];
    const oldest = await posts.publish(coach, 'oldest');
    await posts.publish(coach, 'closed', Visibility.VISIBILITY_SUBSCRIBERS);
    const hidden = await posts.publish(coach, 'hidden');
    const deleted = await posts.publish(coach, 'deleted');
    const ofGone = await posts.publish(gone, 'of somebody who goes');
    const newest = await posts.publish(coach, 'newest');
    await posts.hide(hidden.id);
    await posts.as(coach, (client) => client.deletePost({ id: deleted.id }));
    await posts.publishUser({ id: gone, status: UserStatus.USER_STATUS_SUSPENDED });
    const edited = await edit(coach, { id: oldest.id, content: 'oldest, edited' });

    for (const viewer of [null, coach]) {
      for (const limit of [1, 4, 100]) {
        const listed = await posts.all((cursor) =>
          posts.as(viewer, (client) => client.listPublicPosts({ limit, cursor })),
        );
        const ids = [newest.id, ofGone.id, deleted.id, hidden.id, oldest.id];
        expect(listed.filter(({ id }) => ids.includes(id))).toEqual([
          { id: newest.id, changedAt: newest.createdAt },
          { id: oldest.id, changedAt: edited.editedAt },
        ]);
        expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
      }
    }
  });

  it('adds the author at read time', async () => {
    const author = await posts.user({ name: 'Old' });
    const { id } = await posts.publish(author, 'x');
    await posts.publishUser({ id: author, name: 'New' });
    expect((await read(null, id)).author).toMatchObject({ name: 'New' });
  });

  // Rule: PEOPLE-5, SUBS-4
  it("adds billing's price of the author, wherever posts and comments are shown, and in every process", async () => {
    const other = await posts.startReplica();
    onTestEnd(other.stop);
    posts.bus.oneReplica = true;
    onTestEnd(() => (posts.bus.oneReplica = false));
    const coach = await posts.coach();
    const { id } = await posts.publish(coach, 'x');
    await posts.comment(coach, id, 'y');
    const list = { limit: 0, cursor: '' };
    const prices = async (client = posts.client) => {
      const { answer } = await posts.asWith(coach, [], async () => [
        await client.getPost({ id }),
        ...(await client.getFeed(list)).items.filter((post) => post.id === id),
        ...(await client.listUserPosts({ userId: coach, ...list })).items,
        ...(await client.listComments({ postId: id, ...list })).items,
      ]);
      return answer.map(({ author }) => [author!.subscriptionPriceMinor, author!.subscriptionCurrency]);
    };
    const all = (price: unknown[]) => [price, price, price, price];
    const seenBy = async (client: typeof posts.client, price: unknown[]) => {
      let seen: unknown[] = [];
      const isSeen = async () => JSON.stringify((seen = await prices(client))) === JSON.stringify(all(price));
      await until(isSeen, { what: () => `the price ${price.join(' ')}, not ${JSON.stringify(seen)}` });
    };
    // No price was ever set. What identity told of one in earlier versions says nothing.
    await posts.publishUser({
      ...{ id: coach, isCoach: true },
      ...{ subscriptionPriceMinor: 99, subscriptionCurrency: 'USD' },
    });
    expect(await prices()).toEqual(all([undefined, '']));
    for (const [minor, currency] of [
      [40_000, 'MXN'],
      [0, 'USD'],
      [undefined, 'USD'],
    ] as const) {
      await posts.price(coach, minor, currency);
      const shown = [minor, minor === undefined ? '' : currency];
      expect(await prices()).toEqual(all(shown));
      await seenBy(other.client, shown);
    }
  });

  // Rule: PEOPLE-5
  it('shows the price of one who comes back, and that of one whose price came first', async () => {
    const [suspended, early] = [await posts.coach(), newId()];
    const { id } = await posts.publish(suspended, 'x');
    await posts.price(suspended, 500);
    const { USER_STATUS_SUSPENDED: status } = UserStatus;
    await posts.publishUser({ id: suspended, isCoach: true, status });
    await posts.restart();
    await posts.price(suspended, 700);
    await posts.publishUser({ id: suspended, isCoach: true });
    expect((await read(null, id)).author).toMatchObject({ subscriptionPriceMinor: 700 });
    await posts.price(early, 900);
    await posts.publishUser({ id: early, isCoach: true });
    const post = await posts.publish(early, 'y');
    expect(post.author).toMatchObject({ subscriptionPriceMinor: 900, subscriptionCurrency: 'MXN' });
  });

  // Rule: POST-6, SUBS-30
  it('locks subscribers-only posts for everyone except the author and subscribers with access', async () => {
    const [coach, member] = [await posts.coach(), await posts.user()];
    const text = '👩‍👩‍👧‍👦'.repeat(250);
    const { id } = await posts.publish(coach, text, Visibility.VISIBILITY_SUBSCRIBERS);
    const locked = {
      content: '👩‍👩‍👧‍👦'.repeat(100),
      truncated: true,
      locked: true,
      permissions: { edit: false, delete: false, like: false, comment: false },
    };
    expect(await read(null, id)).toMatchObject(locked);
    await posts.follow(member, coach);
    expect(await read(member, id)).toMatchObject(locked);
    const refused = { kind: 'permission-denied', code: 'subscription-required' };
    await expect(posts.as(member, (client) => client.likePost({ postId: id }))).rejects.toMatchObject(
      refused,
    );
    await expect(posts.comment(member, id, 'x')).rejects.toMatchObject(refused);
    const comments = (viewer: string | null) =>
      posts.as(viewer, (client) => client.listComments({ postId: id, limit: 0, cursor: '' }));
    await expect(comments(member)).rejects.toMatchObject(refused);
    await expect(comments(null)).rejects.toMatchObject(refused);

    await posts.subscribe(member, coach);
    expect(await read(member, id)).toMatchObject({ content: text, truncated: false, locked: false });
    expect(await posts.as(member, (client) => client.likePost({ postId: id }))).toEqual({
      liked: true,
      likeCount: 1,
    });
    await posts.subscribe(member, coach, true, Date.now() - 1);
    expect(await read(member, id)).toMatchObject({ ...locked, likedByViewer: true });
    expect(await posts.as(member, (client) => client.unlikePost({ postId: id }))).toEqual({
      liked: false,
      likeCount: 0,
    });
    await posts.subscribe(member, coach, true, Date.now() + 60_000);
    expect(await read(member, id)).toMatchObject({ locked: false });
    await posts.subscribe(member, coach, false);
    expect(await read(member, id)).toMatchObject(locked);
  });

  // Rule: POST-6
  it('shows no more than half of a short locked text', async () => {
    const coach = await posts.coach();
    const { id } = await posts.publish(coach, 'Squat until Friday', Visibility.VISIBILITY_SUBSCRIBERS);
    expect(await read(null, id)).toMatchObject({ locked: true, truncated: true, content: 'Squat' });
  });

  // Rule: PEOPLE-23, PEOPLE-24
  it('hides two users with a block from each other', async () => {
    const [blocker, blocked] = [await posts.user(), await posts.user()];
    const theirs = await posts.publish(blocker, 'x');
    const own = await posts.publish(blocked, 'y');
    await posts.as(blocked, (client) => client.likePost({ postId: theirs.id }));
    await posts.block(blocker, blocked);
    const missing = { kind: 'not-found' };
    await expect(read(blocked, theirs.id)).rejects.toMatchObject(missing);
    await expect(read(blocker, own.id)).rejects.toMatchObject(missing);
    await expect(posts.comment(blocker, own.id, 'x')).rejects.toMatchObject(missing);
    const list = (viewer: string, userId: string) =>
      posts.as(viewer, (client) => client.listUserPosts({ userId, limit: 0, cursor: '' }));
    await expect(list(blocked, blocker)).rejects.toMatchObject(missing);
    expect(await list(blocker, blocked)).toEqual({ items: [], nextCursor: '' });
    expect(await posts.as(blocked, (client) => client.unlikePost({ postId: theirs.id }))).toMatchObject({
      liked: false,
    });
    await posts.block(blocker, blocked, false);
    expect((await read(blocked, theirs.id)).likeCount).toBe(0);
  });

  // Rule: PEOPLE-2
  it('sums up the likes and comments of a user’s posts, without deleted ones', async () => {
    const [author, other] = [await posts.user(), await posts.user()];
    const [kept, gone] = [await posts.publish(author, 'x'), await posts.publish(author, 'y')];
    for (const { id } of [kept, gone]) {
      for (const user of [author, other]) await posts.as(user, (client) => client.likePost({ postId: id }));
      await posts.comment(other, id, 'nice');
    }
    const stats = () => posts.statsOf(author);
    expect(await stats()).toEqual({ posts: 2, likes: 4, comments: 2 });
    await posts.as(author, (client) => client.deletePost({ id: gone.id }));
    expect(await stats()).toEqual({ posts: 1, likes: 2, comments: 1 });
  });
});
