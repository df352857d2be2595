import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { commentTopic } from '@pulso/contracts/topics/posts';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { until } from '@pulso/platform/testing/until';
import { ModeratedContent } from '../src/moderation/moderated-content.js';
import { posts as definition } from '../src/service.js';
import { type TestPosts, startTestPosts } from './start.js';

const NOT_FOUND = { kind: 'not-found' };

describe('posts and accounts hidden by moderators', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterAll(() => posts?.close());

  const feedOf = async (viewer: string) =>
    (await posts.as(viewer, (client) => client.getFeed({ limit: 100, cursor: '' }))).items.map(
      ({ id }) => id,
    );
  const listOf = (viewer: string | null, userId: string, limit = 100) =>
    posts.all((cursor) => posts.as(viewer, (client) => client.listUserPosts({ userId, limit, cursor })));
  const idsOf = async (viewer: string | null, userId: string, limit?: number) =>
    (await listOf(viewer, userId, limit)).map(({ id }) => id);
  const read = (viewer: string | null, id: string) => posts.as(viewer, (client) => client.getPost({ id }));
  const comments = (viewer: string | null, postId: string) =>
    posts.as(viewer, (client) => client.listComments({ postId, limit: 0, cursor: '' }));
  const statsOf = (userId: string) => posts.statsOf(userId);

  // Rule: PEOPLE-37
  it('hides a post from everyone but its author, until the decision is revoked', async () => {
    const [author, reader] = [await posts.user(), await posts.user()];
    const kept = await posts.publish(author, 'kept');
    const { id } = await posts.publish(author, 'to be hidden');
    await posts.follow(reader, author);
    await posts.comment(reader, id, 'first');
    await posts.as(reader, (client) => client.likePost({ postId: id }));
    await posts.hide(id);

    for (const viewer of [reader, null]) {
      await expect(read(viewer, id)).rejects.toMatchObject(NOT_FOUND);
      await expect(comments(viewer, id)).rejects.toMatchObject(NOT_FOUND);
      expect(await idsOf(viewer, author, 1)).toEqual([kept.id]);
    }
    expect(await feedOf(reader)).toEqual([kept.id]);
    await expect(posts.comment(reader, id, 'second')).rejects.toMatchObject(NOT_FOUND);
    const like = posts.as(author, (client) => client.likePost({ postId: id }));
    expect(await like).toEqual({ liked: true, likeCount: 2 });
    const unlike = posts.as(reader, (client) => client.unlikePost({ postId: id }));
    expect(await unlike).toEqual({ liked: false, likeCount: 1 });
    expect(await statsOf(author)).toEqual({ posts: 1, likes: 0, comments: 0 });

    expect(await read(author, id)).toMatchObject({
      locked: false,
      permissions: { edit: true, delete: true },
    });
    expect(await idsOf(author, author)).toEqual([id, kept.id]);
    expect(await feedOf(author)).toContain(id);
    expect((await comments(author, id)).items).toHaveLength(1);

    await posts.hide(id, false);
    expect(await feedOf(reader)).toEqual([id, kept.id]);
    expect(await read(null, id)).toMatchObject({ likeCount: 1, commentCount: 1 });
    expect(await statsOf(author)).toEqual({ posts: 2, likes: 1, comments: 1 });
  });

  it('keeps a post hidden after a restart, on other replicas, and for events in another order', async () => {
    const [author, reader] = [await posts.user(), await posts.user()];
    const { id } = await posts.publish(author, 'x');
    await posts.hide(id);
    const [hiding] = posts.bus.published.slice(-1);
    await posts.restart();
    await expect(read(reader, id)).rejects.toMatchObject(NOT_FOUND);

    const replica = await posts.startReplica();
    posts.bus.oneReplica = true;
    try {
      await posts.hide(id, false);
      await posts.bus.publish([hiding!]);
      const isShown = async () => {
        const { answer } = await posts.asWith(reader, [], () =>
          replica.client.getFeed({ limit: 10, cursor: '' }),
        );
        return answer.items.some((post) => post.id === id);
      };
      await until(isShown, { what: 'the post in the feed of the other replica' });
      const { answer } = await posts.asWith(reader, [], () => replica.client.getPost({ id }));
      expect(answer.id).toBe(id);
    } finally {
      posts.bus.oneReplica = false;
      await replica.stop();
    }
  });

  it('ignores decisions about unknown posts', async () => {
    await posts.hide(newId());
    await expect(posts.hide('no id')).rejects.toThrow('not a post id: no id');
  });

  // Rule: PEOPLE-37
  it('hides a comment from everyone but its author, counts without it, and tells its author’s id', async () => {
    const [author, spammer] = [await posts.user(), await posts.user()];
    const { id } = await posts.publish(author, 'x');
    const advert = await posts.comment(spammer, id, 'an advert');
    await posts.comment(author, id, 'no advert');
    const texts = async (viewer: string | null) =>
      (await comments(viewer, id)).items.map(({ content }) => content);
    const published = () =>
      posts.bus.published
        .filter(({ topic, key }) => topic === commentTopic.name && key === advert.id)
        .map(({ payload }) => commentTopic.codec.decode(payload));

    await posts.hideComment(advert.id);
    for (const viewer of [author, null]) expect(await texts(viewer)).toEqual(['no advert']);
    expect(await texts(spammer)).toEqual(['an advert', 'no advert']);
    expect(await read(null, id)).toMatchObject({ commentCount: 1 });
    const like = posts.as(author, (client) => client.likeComment({ commentId: advert.id }));
    await expect(like).rejects.toMatchObject(NOT_FOUND);
    await posts.running.relay.drain();
    expect(published().at(-1)).toMatchObject({
      authorId: spammer,
      hidden: { reason: 'spam', decidedAt: expect.any(Number) as number },
    });

    await posts.hideComment(advert.id, false);
    expect(await texts(null)).toEqual(['an advert', 'no advert']);
    expect(await read(null, id)).toMatchObject({ commentCount: 2 });
    await posts.running.relay.drain();
    expect(published().at(-1)!.hidden).toBeUndefined();

    await posts.hideComment(advert.id);
    await posts.as(spammer, (client) => client.deleteComment({ id: advert.id }));
    expect(await read(null, id)).toMatchObject({ commentCount: 1 });
  });

  // Rule: PEOPLE-36
  it('are shown to moderators with their context', async () => {
    const [author, spammer] = [await posts.user(), await posts.user()];
    const { id } = await posts.publish(author, 'x', Visibility.VISIBILITY_PUBLIC);
    for (const text of ['one', 'two', 'three', 'four']) await posts.comment(author, id, text);
    const advert = await posts.comment(spammer, id, 'an "advert"');
    await posts.comment(author, id, 'five');
    await posts.hideComment(advert.id);
    const content = posts.running.get(ModeratedContent);
    const { comment, post, before, after } = await content.comment(advert.id);
    expect(comment).toMatchObject({ authorId: spammer, state: 'hidden', reason: 'spam' });
    expect(post).toMatchObject({ id, content: 'x', state: 'visible', visibility: 'public' });
    expect([before, after].map((list) => list.map((one) => one.content))).toEqual([
      ['two', 'three', 'four'],
      ['five'],
    ]);
    const show = definition.commands['show-comment']!.prepare({ operands: [advert.id], options: {} });
    const lines = await show(posts.running);
    expect(lines.filter((line) => line.startsWith('> comment'))).toEqual([
      `> comment ${advert.id}  ${comment.createdAt}  hidden: spam`,
    ]);
    expect(lines).toContain('  "an \\"advert\\""');
    await expect(content.comment(newId())).rejects.toMatchObject(NOT_FOUND);
    await expect(content.post('nonsense')).rejects.toMatchObject(NOT_FOUND);
  });

  // Rule: PEOPLE-38
  it('hides a suspended account’s posts and comments until it is reinstated', async () => {
    const [author, spammer] = [await posts.user(), await posts.user({ name: 'Spam' })];
    const { id } = await posts.publish(author, 'x');
    await posts.comment(spammer, id, 'an advert');
    await posts.comment(author, id, 'no advert');
    const advert = await posts.publish(spammer, 'buy');
    const texts = async () => (await comments(null, id)).items.map(({ content }) => content);

    await posts.publishUser({ id: spammer, status: UserStatus.USER_STATUS_SUSPENDED });
    await expect(read(author, advert.id)).rejects.toMatchObject(NOT_FOUND);
    await expect(listOf(author, spammer)).rejects.toMatchObject(NOT_FOUND);
    expect(await feedOf(author)).not.toContain(advert.id);
    expect(await texts()).toEqual(['no advert']);

    await posts.publishUser({ id: spammer, status: UserStatus.USER_STATUS_ACTIVE });
    expect(await feedOf(author)).toContain(advert.id);
    expect(await idsOf(null, spammer)).toEqual([advert.id]);
    expect(await texts()).toEqual(['an advert', 'no advert']);
  });

  it('returns counts of several users in the requested order', async () => {
    const [one, two, none] = [await posts.user(), await posts.user(), await posts.user()];
    const first = await posts.publish(one, 'a');
    const second = await posts.publish(one, 'b');
    await posts.publish(two, 'c');
    await posts.comment(two, first.id, 'd');
    await posts.comment(two, second.id, 'e');
    await posts.hide(second.id);
    const userIds = [two, 'nonsense', one, none, newId(), one];
    const { stats } = await posts.as(null, (client) => client.getUsersStats({ userIds }));
    const nothing = { posts: 0, likes: 0, comments: 0 };
    const ofOne = { posts: 1, likes: 0, comments: 1 };
    expect(stats).toEqual([{ posts: 1, likes: 0, comments: 0 }, nothing, ofOne, nothing, nothing, ofOne]);
    expect(await posts.as(null, (client) => client.getUsersStats({ userIds: [] }))).toEqual({ stats: [] });
    const many = Array.from({ length: 101 }, () => one);
    await expect(posts.as(null, (client) => client.getUsersStats({ userIds: many }))).rejects.toMatchObject({
      code: 'validation-failed',
    });
  });
});
