import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { likeId } from '../src/store/like.js';
import { type TestPosts, startTestPosts } from './start.js';

// Rule: POST-16
describe('who likes a post', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterAll(() => posts?.close());

  const users = (count: number) => Promise.all(Array.from({ length: count }, () => posts.user()));
  const like = (user: string, postId: string) => posts.as(user, (client) => client.likePost({ postId }));
  const likers = async (viewer: string | null, postId: string, limit = 0) => {
    const page = (cursor: string) =>
      posts.as(viewer, (client) => client.listPostLikes({ postId, limit, cursor }));
    return (await posts.all(page)).map(({ id }) => id);
  };
  /** As if the users had liked the post a second after each other, the first one first. */
  async function likedInOrder(postId: string, userIds: readonly string[], stepMs = 1_000): Promise<void> {
    for (const [index, userId] of userIds.entries()) {
      await like(userId, postId);
      const createdAt = new Date(Date.UTC(2026, 0, 1) + index * stepMs);
      await posts.raw.likes.updateOne({ _id: likeId(postId, userId) }, { $set: { createdAt } });
    }
  }

  it('is listed newest first, in pages, for visitors too', async () => {
    const [author, ...others] = await users(6);
    const { id } = await posts.publish(author!, 'x');
    await likedInOrder(id, others);
    // The like of a comment is not one of its post.
    const comment = await posts.comment(author!, id, 'thanks');
    await posts.as(author!, (client) => client.likeComment({ commentId: comment.id }));
    for (const limit of [1, 2, 5, 100]) {
      expect(await likers(null, id, limit)).toEqual(others.toReversed());
    }
    expect(
      await posts.as(null, (client) => client.listPostLikes({ postId: id, limit: 1, cursor: '' })),
    ).toMatchObject({ items: [{ id: others[4], name: 'Ada' }] });
  });

  it('has each once where many liked in the same millisecond', async () => {
    const [author, ...others] = await users(8);
    const { id } = await posts.publish(author!, 'x');
    await likedInOrder(id, others, 0);
    for (const limit of [1, 3, 7])
      expect(await likers(null, id, limit)).toEqual(others.toSorted().toReversed());
  });

  it('leaves out who took the like back; who likes again comes first', async () => {
    const [author, first, second, third] = await users(4);
    const { id } = await posts.publish(author!, 'x');
    await likedInOrder(id, [first!, second!, third!]);
    for (const user of [first!, second!]) {
      await posts.as(user, (client) => client.unlikePost({ postId: id }));
    }
    await like(first!, id);
    expect(await likers(null, id)).toEqual([first, third]);
  });

  // Rule: PEOPLE-23, PEOPLE-38
  it('leaves out those with a block either way, the suspended and the deleted, and fills pages up', async () => {
    const [author, viewer, blocked, blocker, suspended, deleted, ...kept] = await users(10);
    const { id } = await posts.publish(author!, 'x');
    const gone = [blocked!, blocker!, suspended!, deleted!];
    await likedInOrder(
      id,
      kept.flatMap((user, index) => [gone[index]!, user]),
    );
    await posts.block(viewer!, blocked!);
    await posts.block(blocker!, viewer!);
    await posts.publishUser({ id: suspended!, status: UserStatus.USER_STATUS_SUSPENDED });
    await posts.publishUser({ id: deleted!, status: UserStatus.USER_STATUS_DELETED });
    for (const limit of [1, 3, 100]) expect(await likers(viewer!, id, limit)).toEqual(kept.toReversed());
    expect(await likers(null, id)).toEqual(expect.arrayContaining([blocked, blocker]));
    await posts.publishUser({ id: suspended! });
    expect(await likers(viewer!, id)).toContain(suspended);
  });

  // Rule: HTTP-5
  it('reads past many who are not shown, in a bounded number of reads for each page', async () => {
    const [author, first, last] = await users(3);
    const { id } = await posts.publish(author!, 'x');
    await likedInOrder(id, [first!, last!], 10_000);
    const row = (await posts.raw.likes.findOne({ _id: likeId(id, first!) }))!;
    // More than the embedded store sorts or looks through without an index.
    const unknown = Array.from({ length: 1_100 }, (_, index) => {
      const userId = newId();
      const createdAt = new Date(row.createdAt.getTime() + 1 + index);
      return { ...row, _id: likeId(id, userId), userId, createdAt };
    });
    await posts.raw.likes.insertMany(unknown);
    const page = await posts.as(null, (client) => client.listPostLikes({ postId: id, limit: 0, cursor: '' }));
    expect(page.items.map((user) => user.id)).toEqual([last]);
    expect(page.nextCursor).not.toBe('');
    expect(await likers(null, id)).toEqual([last, first]);
  });

  // Rule: POST-7, POST-8
  it('is told neither of a locked post nor of one that is missing or hidden', async () => {
    const [coach, subscriber, other] = [await posts.coach(), ...(await users(2))];
    const { id } = await posts.publish(coach, 'x', Visibility.VISIBILITY_SUBSCRIBERS);
    await posts.subscribe(subscriber!, coach);
    await like(subscriber!, id);
    expect(await likers(subscriber!, id)).toEqual([subscriber]);
    for (const viewer of [other!, null]) {
      await expect(likers(viewer, id)).rejects.toMatchObject({ code: 'subscription-required' });
    }
    const missing = { kind: 'not-found', message: 'Post not found' };
    for (const postId of [newId(), 'nonsense']) {
      await expect(likers(subscriber!, postId)).rejects.toMatchObject(missing);
    }
    await posts.hide(id);
    await expect(likers(subscriber!, id)).rejects.toMatchObject(missing);
    expect(await likers(coach, id)).toEqual([subscriber]);
  });

  // Rule: HTTP-6
  it('takes only cursors of the same post and viewer', async () => {
    const [author, ...others] = await users(3);
    const [one, two] = [await posts.publish(author!, 'x'), await posts.publish(author!, 'y')];
    await likedInOrder(one.id, others);
    const page = (viewer: string | null, postId: string, cursor: string) =>
      posts.as(viewer, (client) => client.listPostLikes({ postId, limit: 1, cursor }));
    const { nextCursor } = await page(null, one.id, '');
    for (const [viewer, postId] of [
      [author!, one.id],
      [null, two.id],
    ] as const) {
      await expect(page(viewer, postId, nextCursor)).rejects.toMatchObject({ code: 'invalid-cursor' });
    }
  });
});
