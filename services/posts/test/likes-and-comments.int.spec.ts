import { jest } from '@jest/globals';
import { likeTopic } from '@pulso/contracts/topics/posts';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { gate } from '@pulso/platform/testing/gate';
import { until } from '@pulso/platform/testing/until';
import { CountKeeper } from '../src/store/count-keeper.js';
import { likeId } from '../src/store/like.js';
import { RowCounting } from '../src/store/row-counting.js';
import { type TestPosts, startTestPosts } from './start.js';

describe('likes and comments', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => posts?.close());

  const like = (user: string, postId: string) => posts.as(user, (client) => client.likePost({ postId }));
  const unlike = (user: string, postId: string) => posts.as(user, (client) => client.unlikePost({ postId }));
  const read = (viewer: string | null, id: string) => posts.as(viewer, (client) => client.getPost({ id }));
  const comments = (viewer: string | null, postId: string, limit = 0) =>
    posts.all((cursor) => posts.as(viewer, (client) => client.listComments({ postId, limit, cursor })));
  const users = (count: number) => Promise.all(Array.from({ length: count }, () => posts.user()));

  // Rule: POST-19
  it('likes once, for repeated and concurrent requests', async () => {
    const [author, liker] = await users(2);
    const { id } = await posts.publish(author!, 'x');
    const answers = await Promise.all(Array.from({ length: 8 }, () => like(liker!, id)));
    for (const answer of answers) expect(answer.liked).toBe(true);
    expect(await like(liker!, id)).toEqual({ liked: true, likeCount: 1 });
    expect(await read(liker!, id)).toMatchObject({ likeCount: 1, likedByViewer: true });
    await Promise.all(Array.from({ length: 8 }, () => unlike(liker!, id)));
    expect(await unlike(liker!, id)).toEqual({ liked: false, likeCount: 0 });
    expect(await like(liker!, id)).toEqual({ liked: true, likeCount: 1 });
    expect(await posts.raw.likes.countDocuments({ targetId: id })).toBe(1);
  });

  it('returns the consistency token again when a like was taken back already', async () => {
    const [author, liker] = await users(2);
    const { id } = await posts.publish(author!, 'x');
    await like(liker!, id);
    const again = () => posts.asWith(liker!, [], () => posts.client.unlikePost({ postId: id }));
    const { wrote } = await again();
    expect(wrote).toHaveLength(1);
    expect((await again()).wrote).toEqual(wrote);
  });

  // Rule: POST-8
  it('does not tell the likes of a comment under a locked post to somebody who takes back nothing', async () => {
    const [coach, subscriber, other] = [await posts.coach(), ...(await users(2))];
    const { id } = await posts.publish(coach, 'x', Visibility.VISIBILITY_SUBSCRIBERS);
    const { id: commentId } = await posts.comment(coach, id, 'first');
    const by = (user: string, call: 'likeComment' | 'unlikeComment') =>
      posts.as(user, (client) => client[call]({ commentId }));
    await posts.subscribe(subscriber!, coach);
    expect(await by(coach, 'likeComment')).toEqual({ liked: true, likeCount: 1 });
    expect(await by(subscriber!, 'likeComment')).toEqual({ liked: true, likeCount: 2 });
    expect(await by(other!, 'unlikeComment')).toEqual({ liked: false, likeCount: 0 });
    expect(await by(coach, 'likeComment')).toEqual({ liked: true, likeCount: 2 });
    await posts.subscribe(subscriber!, coach, false);
    expect(await by(subscriber!, 'unlikeComment')).toEqual({ liked: false, likeCount: 1 });
    expect(await by(subscriber!, 'unlikeComment')).toEqual({ liked: false, likeCount: 0 });
  });

  it('finds a user’s likes and comments by an index', async () => {
    const [user, other] = await users(2);
    const { id: postId } = await posts.publish(user!, 'x');
    await like(user!, postId);
    const comment = await posts.comment(user!, postId, 'x');
    // The embedded store refuses to look through more than 1,000 documents without an index.
    const { likes, comments: commentRows } = posts.raw;
    const [aLike, aComment] = [
      await likes.findOne({ userId: user! }),
      await commentRows.findOne({ _id: comment.id }),
    ];
    const copies = Array.from({ length: 1_100 }, (_, copy) => copy);
    await likes.insertMany(
      copies.map((copy) => ({ ...aLike!, _id: `copy-${copy}`, targetId: `copy-${copy}`, userId: other! })),
    );
    await commentRows.insertMany(
      copies.map((copy) => ({ ...aComment!, _id: `copy-${copy}`, postId: `copy-${copy}`, authorId: other! })),
    );
    const order = { sort: { _id: 1 } } as const;
    expect(await likes.find({ userId: user!, active: true }, order).toArray()).toHaveLength(1);
    expect(await commentRows.find({ authorId: user! }, order).toArray()).toHaveLength(1);
  });

  it('counts concurrent likes of many users', async () => {
    const [author, ...others] = await users(21);
    const { id } = await posts.publish(author!, 'x');
    await Promise.all(others.map((user) => like(user, id)));
    expect((await read(null, id)).likeCount).toBe(20);
    await Promise.all([
      ...others.slice(0, 10).map((user) => unlike(user, id)),
      ...others.slice(10).map((user, at) => posts.comment(user, id, `comment ${at}`)),
      posts.as(author!, (client) => client.editPost({ id, content: 'edited' })),
    ]);
    expect(await read(null, id)).toMatchObject({ likeCount: 10, commentCount: 10, content: 'edited' });
    const stored = await posts.raw.likes.countDocuments({ targetId: id, active: true });
    expect(stored).toBe(10);
  });

  // Rule: POST-19
  it('ends with a consistent row and count when one user likes and unlikes concurrently', async () => {
    const [author, liker] = await users(2);
    const { id } = await posts.publish(author!, 'x');
    for (let round = 0; round < 5; round++) {
      await Promise.all([like(liker!, id), unlike(liker!, id), like(liker!, id), unlike(liker!, id)]);
      const row = await posts.raw.likes.findOne({ _id: likeId(id, liker!) });
      const { likeCount, likedByViewer } = await read(liker!, id);
      expect({ likeCount, likedByViewer }).toEqual({
        likeCount: row!.active ? 1 : 0,
        likedByViewer: row!.active,
      });
    }
  });

  // Rule: POST-21, POST-22
  it('comments, oldest first, and updates the post', async () => {
    const [author, reader] = await users(2);
    const post = await posts.publish(author!, 'x');
    const written: string[] = [];
    for (let count = 0; count < 5; count++) {
      const comment = await posts.comment(reader!, post.id, ` comment ${count} `);
      expect(comment).toMatchObject({ content: `comment ${count}`, likeCount: 0, author: { id: reader } });
      written.push(comment.id);
    }
    for (const limit of [1, 2, 100]) {
      expect((await comments(null, post.id, limit)).map(({ id }) => id)).toEqual(written);
    }
    const after = await read(null, post.id);
    expect(after.commentCount).toBe(5);
    expect(after.updatedAt).toBeGreaterThan(post.updatedAt);
    expect(after.editedAt).toBeUndefined();
  });

  // Rule: POST-21
  it.each([
    ['nothing', ' \n'],
    ['more than 2000 code points', '😀'.repeat(2001)],
    ['a lone surrogate', 'x\ud800'],
  ])('refuses a comment of %s', async (_, content) => {
    const author = await posts.user();
    const { id } = await posts.publish(author, 'x');
    // A lone surrogate does not survive protobuf; a replacement character arrives instead.
    const answer = posts.comment(author, id, content);
    if (content.includes('\ud800')) expect((await answer).content).toBe('x\ufffd');
    else await expect(answer).rejects.toMatchObject({ code: 'validation-failed' });
  });

  // Rule: HTTP-16
  it('refuses an empty comment before its post is looked for', async () => {
    const user = await posts.user();
    for (const id of [newId(), 'nonsense']) {
      await expect(posts.comment(user, id, ' ')).rejects.toMatchObject({ code: 'validation-failed' });
      await expect(posts.comment(user, id, 'x')).rejects.toMatchObject({ kind: 'not-found' });
    }
  });

  // Rule: POST-21
  it('answers not-found for comments on missing posts and likes of missing targets', async () => {
    const user = await posts.user();
    const missing = { kind: 'not-found' };
    await expect(posts.comment(user, newId(), 'x')).rejects.toMatchObject({
      ...missing,
      message: 'Post not found',
    });
    for (const id of [newId(), 'nonsense']) {
      await expect(like(user, id)).rejects.toMatchObject(missing);
      await expect(unlike(user, id)).rejects.toMatchObject(missing);
      await expect(posts.as(user, (client) => client.likeComment({ commentId: id }))).rejects.toMatchObject(
        missing,
      );
      await expect(posts.as(user, (client) => client.unlikeComment({ commentId: id }))).rejects.toMatchObject(
        missing,
      );
      await expect(posts.as(user, (client) => client.deleteComment({ id }))).rejects.toMatchObject(missing);
    }
  });

  // Rule: POST-23
  it('deletes a comment by its author or the post’s author, once', async () => {
    const [author, reader, other] = await users(3);
    const { id: postId } = await posts.publish(author!, 'x');
    const [first, second] = [
      await posts.comment(reader!, postId, 'first'),
      await posts.comment(reader!, postId, 'second'),
    ];
    const remove = (user: string, id: string) => posts.as(user, (client) => client.deleteComment({ id }));
    await expect(remove(other!, first.id)).rejects.toMatchObject({ kind: 'permission-denied' });
    await remove(reader!, first.id);
    await expect(remove(reader!, first.id)).rejects.toMatchObject({ kind: 'not-found' });
    await remove(author!, second.id);
    expect(await comments(null, postId)).toEqual([]);
    expect((await read(null, postId)).commentCount).toBe(0);
    expect(await posts.raw.comments.findOne({ _id: first.id })).toMatchObject({
      content: '',
      live: false,
    });
  });

  it('likes comments', async () => {
    const [author, reader] = await users(2);
    const { id: postId } = await posts.publish(author!, 'x');
    const { id: commentId } = await posts.comment(author!, postId, 'first');
    const likeIt = () => posts.as(reader!, (client) => client.likeComment({ commentId }));
    expect(await likeIt()).toEqual({ liked: true, likeCount: 1 });
    expect(await likeIt()).toEqual({ liked: true, likeCount: 1 });
    expect(await comments(reader!, postId)).toMatchObject([{ likeCount: 1, likedByViewer: true }]);
    expect(await comments(author!, postId)).toMatchObject([{ likeCount: 1, likedByViewer: false }]);
    expect(await posts.as(reader!, (client) => client.unlikeComment({ commentId }))).toEqual({
      liked: false,
      likeCount: 0,
    });
  });

  // Rule: POST-22
  it('leaves out comments of users with a block, and fills pages up', async () => {
    const [author, reader, blocked] = await users(3);
    const { id: postId } = await posts.publish(author!, 'x');
    const kept: string[] = [];
    for (let count = 0; count < 4; count++) {
      await posts.comment(blocked!, postId, `hidden ${count}`);
      kept.push((await posts.comment(reader!, postId, `kept ${count}`)).id);
    }
    await posts.block(blocked!, reader!);
    for (const limit of [1, 3, 100]) {
      expect((await comments(reader!, postId, limit)).map(({ id }) => id)).toEqual(kept);
    }
    expect(await comments(author!, postId)).toHaveLength(8);
  });

  // Rule: POST-9
  it('removes no rows, but marks all rows of a deleted post', async () => {
    const [author, reader] = await users(2);
    const { id: postId } = await posts.publish(author!, 'x');
    const { id: commentId } = await posts.comment(reader!, postId, 'gone');
    await like(reader!, postId);
    await posts.as(author!, (client) => client.likeComment({ commentId }));
    await posts.as(author!, (client) => client.deletePost({ id: postId }));
    const { raw } = posts;
    const isErased = async () => !(await raw.posts.findOne({ _id: postId }))!.erasing;
    await until(isErased, { what: 'the deleted post to be swept' });
    expect(await raw.likes.countDocuments({ postId, active: true })).toBe(0);
    expect(await raw.comments.findOne({ _id: commentId })).toMatchObject({ live: false, content: '' });
    await expect(
      posts.as(author!, (client) => client.deleteComment({ id: commentId })),
    ).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  // Rule: POST-9
  it('leaves no active comments and likes after a race with a deletion', async () => {
    const [author, ...others] = await users(7);
    const { id: postId } = await posts.publish(author!, 'x');
    const outcome = await Promise.allSettled([
      ...others.flatMap((user) => [like(user, postId), posts.comment(user, postId, 'late')]),
      posts.as(author!, (client) => client.deletePost({ id: postId })),
    ]);
    for (const result of outcome) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'not-found' });
    }
    const { raw } = posts;
    const left = async () =>
      (await raw.likes.countDocuments({ postId, active: true })) +
      (await raw.comments.countDocuments({ postId, live: true }));
    await until(async () => (await left()) === 0, { what: 'all comments and likes to be swept' });
  });

  it('returns not-found for a comment whose post is deleted concurrently, also on a retry', async () => {
    const [author, reader] = await users(2);
    const { id: postId } = await posts.publish(author!, 'x');
    const idempotency = { key: 'k', scope: `POST /api/posts/${postId}/comments`, bodyHash: 'h' };
    const add = () =>
      posts.as(reader!, (client) => client.addComment({ postId, content: 'late', idempotency }));
    const counts = posts.running.get(RowCounting);
    // Only the writer of a row calls this; the outbox counts on its own.
    const counting = jest.spyOn(counts, 'countComment').mockImplementationOnce(async (comment) => {
      await posts.as(author!, (client) => client.deletePost({ id: postId }));
      return counts.countComment(comment);
    });
    await expect(add()).rejects.toMatchObject({ kind: 'not-found' });
    expect(counting).toHaveBeenCalled();
    expect(await posts.raw.comments.findOne({ postId })).toMatchObject({ authorId: reader! });
    await expect(add()).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('counts a row once, by its writer, for which the outbox does not wait', async () => {
    const [author, reader] = await users(2);
    const { id: postId } = await posts.publish(author!, 'x');
    await posts.running.relay.drain();
    const counts = posts.running.get(CountKeeper);
    const real = counts.likesOfPost.bind(counts);
    const spies = [jest.spyOn(counts, 'likesOfPost'), jest.spyOn(counts, 'commentsOfPost')];
    const published = gate('the publication of the like');
    spies[0]!.mockImplementation(async (id) => {
      // By then the relay has published the like and cleared it.
      await published.opened;
      return real(id);
    });
    const liking = like(reader!, postId);
    const isPublished = ({ topic, key }: { topic: string; key: string }) =>
      topic === likeTopic.name && key === likeId(postId, reader!);
    await until(() => posts.bus.published.some(isPublished), { what: 'the event of the like' });
    await posts.running.relay.drain();
    expect(await posts.raw.likes.findOne({ _id: likeId(postId, reader!) })).not.toHaveProperty('dirtyAt');
    published.open();
    expect(await liking).toMatchObject({ likeCount: 1 });
    await posts.comment(reader!, postId, 'nice');
    await posts.running.relay.drain();
    expect(await posts.raw.likes.countDocuments({ targetId: postId, dirtyAt: { $gt: new Date(0) } })).toBe(0);
    // What earlier tests have deleted may still be swept and counted.
    for (const { mock } of spies) expect(mock.calls.filter(([id]) => id === postId)).toHaveLength(1);
  });
});
