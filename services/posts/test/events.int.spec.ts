import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { eventOf } from '@pulso/platform/events/event-record';
import type { Topic } from '@pulso/contracts/topics/topic';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { OpenStore } from '@pulso/platform/service/store';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { Dice } from '@pulso/platform/testing/seeded';
import { until } from '@pulso/platform/testing/until';
import { likeId } from '../src/store/like.js';
import { type TestPosts, startTestPosts } from './start.js';

describe('events', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterAll(() => posts?.close());

  const published = <T extends { version: number }>(topic: Topic<T>, key: string): T[] =>
    posts.bus.published
      .filter((event) => event.topic === topic.name && event.key === key)
      .map((event) => topic.codec.decode(event.payload));
  const last = <T extends { version: number }>(topic: Topic<T>, key: string): T | undefined =>
    published(topic, key).at(-1);

  it('are published again at the time of the store, which is this machine’s here', async () => {
    const before = Date.now();
    const time = await posts.running.get(OpenStore).time();
    expect(Math.abs(time - before)).toBeLessThan(60_000);
  });

  it('are published for posts, comments and likes, their changes and deletions, without any text', async () => {
    const [author, reader] = [await posts.coach(), await posts.user()];
    const post = await posts.publish(author, 'secret text');
    const comment = await posts.comment(reader, post.id, 'secret answer');
    await posts.as(reader, (client) => client.likePost({ postId: post.id }));
    await posts.as(author, (client) => client.likeComment({ commentId: comment.id }));
    await posts.running.relay.drain();
    expect(last(postTopic, post.id)).toMatchObject({
      authorId: author,
      deleted: false,
      subscribersOnly: false,
    });
    expect(last(commentTopic, comment.id)).toMatchObject({
      postId: post.id,
      postAuthorId: author,
      deleted: false,
    });
    expect(last(likeTopic, likeId(post.id, reader))).toMatchObject({
      active: true,
      onComment: false,
      targetAuthorId: author,
    });
    expect(last(likeTopic, likeId(comment.id, author))).toMatchObject({
      onComment: true,
      postId: post.id,
      targetAuthorId: reader,
    });

    const subscribersOnly = { id: post.id, visibility: Visibility.VISIBILITY_SUBSCRIBERS };
    await posts.as(author, (client) => client.editPost(subscribersOnly));
    await posts.as(reader, (client) => client.unlikePost({ postId: post.id }));
    await posts.running.relay.drain();
    expect(last(postTopic, post.id)).toMatchObject({ subscribersOnly: true });
    expect(last(likeTopic, likeId(post.id, reader))).toMatchObject({ active: false });

    await posts.as(author, (client) => client.deletePost({ id: post.id }));
    const isTold = async () => {
      await posts.running.relay.drain();
      return last(commentTopic, comment.id)?.deleted;
    };
    await until(isTold, { what: 'the event of the deleted comment' });
    await posts.running.relay.drain();
    expect(last(postTopic, post.id)).toMatchObject({ deleted: true });
    expect(last(commentTopic, comment.id)).toMatchObject({ deleted: true });
    expect(posts.bus.published.some(({ payload }) => Buffer.from(payload).includes('secret'))).toBe(false);
    const versions = published(postTopic, post.id).map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it('are not published for counts, and are published later when the bus was down', async () => {
    const author = await posts.user();
    const { id } = await posts.publish(author, 'x');
    await posts.running.relay.drain();
    const before = published(postTopic, id).length;
    await posts.as(author, (client) => client.likePost({ postId: id }));
    await posts.running.relay.drain();
    expect(published(postTopic, id)).toHaveLength(before);
    posts.bus.down = true;
    await posts.as(author, (client) => client.editPost({ id, content: 'y' }));
    await expect(posts.running.relay.drain()).rejects.toThrow('the bus is down');
    posts.bus.down = false;
    await posts.running.relay.drain();
    expect(published(postTopic, id).length).toBeGreaterThan(before);
  });

  it('are republished on request, with a flag', async () => {
    const author = await posts.user();
    const { id } = await posts.publish(author, 'x');
    await posts.comment(author, id, 'y');
    await posts.as(author, (client) => client.likePost({ postId: id }));
    const from = posts.bus.published.length;
    for (const noun of ['post', 'comment', 'like']) await posts.running.republish(noun);
    const again = posts.bus.published.slice(from).filter(({ republished }) => republished);
    expect(again.filter(({ topic, key }) => topic === postTopic.name && key === id)).toHaveLength(1);
    expect(again.some(({ topic }) => topic === commentTopic.name)).toBe(true);
    expect(again.some(({ topic, key }) => topic === likeTopic.name && key === likeId(id, author))).toBe(true);
    await expect(posts.running.republish('user')).rejects.toThrow('no user');
  });

  it('of other services may arrive repeatedly, out of order and concurrently', async () => {
    const dice = new Dice(7);
    const [viewer, coach] = [await posts.user(), newId()];
    const steps = Array.from({ length: 12 }, (_, step) => step);
    const version = (step: number) => Date.now() * 1000 + step;
    const records = steps.flatMap((step) => [
      eventOf(userTopic, {
        id: coach,
        version: version(step),
        status: UserStatus.USER_STATUS_ACTIVE,
        name: `name ${step}`,
        username: 'c',
        profileImageId: '',
        isCoach: true,
        subscriptionCurrency: '',
        createdAt: 1,
        formerUsernames: [],
      }),
      eventOf(followTopic, {
        followerId: viewer,
        targetId: coach,
        version: version(step),
        active: step % 2 === 1,
      }),
      eventOf(subscriptionTopic, {
        userId: viewer,
        coachId: coach,
        version: version(step),
        active: step % 2 === 0,
      }),
      eventOf(blockTopic, {
        blockerId: viewer,
        blockedId: coach,
        version: version(step),
        active: step % 2 === 0,
      }),
    ]);
    const shuffled = dice.shuffled([...records, ...records]);
    await Promise.all(shuffled.map((record) => posts.bus.publish([record])));
    const { id } = await posts.publish(coach, 'x', Visibility.VISIBILITY_SUBSCRIBERS);
    const feed = await posts.as(viewer, (client) => client.getFeed({ limit: 100, cursor: '' }));
    const card = feed.items.find((item) => item.id === id);
    expect(card).toMatchObject({ locked: true, author: { name: 'name 11' } });
  });

  it('are awaited by requests with their consistency token', async () => {
    const [viewer, coach] = [await posts.user(), await posts.coach()];
    const { id } = await posts.publish(coach, 'x', Visibility.VISIBILITY_SUBSCRIBERS);
    const state = {
      userId: viewer,
      coachId: coach,
      version: Date.now() * 1000,
      active: true,
      accessUntil: undefined,
    };
    const mark = { topic: subscriptionTopic.name, key: `${viewer}_${coach}`, version: state.version };
    const reading = posts.asWith(viewer, [mark], () => posts.client.getPost({ id }));
    await posts.bus.publish([eventOf(subscriptionTopic, state)]);
    expect((await reading).answer.locked).toBe(false);

    const newcomer = newId();
    const arrival = { topic: userTopic.name, key: newcomer, version: 5 };
    const publishing = (client = posts.client) =>
      posts.asWith(newcomer, [arrival], () =>
        client.publishPost({ content: 'first', visibility: 0, images: [], idempotency: undefined }),
      );
    const hasty = await posts.startReplica({ WRITE_WAIT_MS: '0' });
    onTestEnd(() => hasty.stop());
    await expect(publishing(hasty.client)).rejects.toMatchObject({ kind: 'unavailable' });
    const waiting = publishing();
    await posts.publishUser({ id: newcomer });
    expect((await waiting).answer.author).toMatchObject({ id: newcomer });
  });

  // Rule: ACCT-36
  it('of a deleted user keep their comments under another name and hide their posts', async () => {
    const [author, gone] = [await posts.user(), await posts.user({ name: 'Gone' })];
    const { id } = await posts.publish(author, 'x');
    await posts.comment(gone, id, 'still here');
    const own = await posts.publish(gone, 'mine');
    await posts.publishUser({ id: gone, status: UserStatus.USER_STATUS_DELETED });
    const comments = await posts.as(null, (client) =>
      client.listComments({ postId: id, limit: 0, cursor: '' }),
    );
    expect(comments.items).toMatchObject([
      { content: 'still here', author: { name: 'Deleted user', username: '' } },
    ]);
    await expect(posts.as(author, (client) => client.getPost({ id: own.id }))).rejects.toMatchObject({
      kind: 'not-found',
    });
    const feed = await posts.as(author, (client) => client.getFeed({ limit: 100, cursor: '' }));
    expect(feed.items.map((post) => post.id)).not.toContain(own.id);
    await expect(posts.publish(gone, 'x')).rejects.toMatchObject({ code: 'user-disabled' });
  });
});
