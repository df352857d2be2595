import { jest } from '@jest/globals';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import { eventOf } from '@pulso/platform/events/event-record';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { outcome } from '@pulso/platform/testing/outcomes';
import { until } from '@pulso/platform/testing/until';
import { ErasePosts } from '../src/erasure/erase-posts.js';
import type { LikeDocument } from '../src/store/like.schema.js';
import { LikeRepository } from '../src/store/like.repository.js';
import { startTestPosts, type TestPosts } from './start.js';

let posts: TestPosts;
beforeAll(async () => (posts = await startTestPosts()));
afterAll(() => posts?.close());

const ask = (userId: string) => {
  const version = posts.version(`erasure ${userId}`);
  return posts.bus.publish([eventOf(erasureTopic, { userId, version, requestedAt: 1 })]);
};
const deleted = (id: string) =>
  posts.publishUser({ id, status: UserStatus.USER_STATUS_DELETED, name: '', username: '', isCoach: false });
const untilErased = (userId: string) =>
  until(async () => (await posts.raw.erasedUsers.findOne({ _id: userId }))?.erasedAt, {
    what: 'the acknowledgement',
  });
const erase = async (userId: string) => {
  await deleted(userId);
  await ask(userId);
  await untilErased(userId);
};

// Rule: ACCT-32
describe('an erased user', () => {
  it('leaves no post and no text of one, and what others wrote there goes with it', async () => {
    const [ada, ben] = [await posts.coach(), await posts.user()];
    const { id } = await posts.publish(ada, 'Ada ran from Oaxaca');
    await posts.comment(ben, id, 'well done, Ada');
    await posts.as(ben, (client) => client.likePost({ postId: id }));
    await erase(ada);
    const stored = await posts.raw.posts.find({ authorId: ada }).toArray();
    expect(stored.map(({ live, content }) => [live, content ?? ''])).toEqual([[false, '']]);
    expect(await posts.raw.comments.countDocuments({ postId: id, live: true })).toBe(0);
    expect(await posts.raw.likes.countDocuments({ postId: id, active: true })).toBe(0);
    expect(await outcome(posts.as(ben, (client) => client.getPost({ id })))).toBe('not-found not-found');
  });

  // Rule: ACCT-46
  it('leaves nothing of what was imported, and from where', async () => {
    const ada = await posts.user();
    const [sourceUserId, sourceId, goneId, commentId] = [newId(), newId(), newId(), newId()];
    await posts.as(ada, (client) => client.beginImport({ sourceUserId }));
    const post = { content: 'Ada swam', visibility: 1, images: [], idempotency: undefined };
    const wanted = [sourceId, goneId].map((id) => ({ sourceId: id, post }));
    const { ids } = await posts.as(ada, (client) => client.importPosts({ posts: wanted }));
    await posts.as(ada, (client) => client.deletePost({ id: ids[1]! }));
    expect(await posts.raw.deletedImports.find({ userId: ada }).toArray()).toHaveLength(1);
    const comment = { sourceId: commentId, postSourceId: sourceId, content: 'in Oaxaca' };
    await posts.as(ada, (client) => client.importComments({ comments: [comment] }));
    await erase(ada);
    expect(await posts.raw.imports.findOne({ _id: ada })).toBeNull();
    expect(await posts.raw.deletedImports.findOne({ userId: ada })).toBeNull();
    for (const rows of [posts.raw.posts, posts.raw.comments]) {
      const stored = await (rows as typeof posts.raw.posts).find({ authorId: ada }).toArray();
      for (const { live, content } of stored) expect([live, content ?? '']).toEqual([false, '']);
      expect(stored.length).toBeGreaterThan(0);
    }
  });

  it('likes nothing any more, and counts for nothing', async () => {
    const [ada, ben] = [await posts.user(), await posts.user()];
    const { id: postId } = await posts.publish(ben, 'five squats');
    const { id: commentId } = await posts.comment(ben, postId, 'and five more');
    for (const user of [ada, ben]) await posts.as(user, (client) => client.likePost({ postId }));
    await posts.as(ada, (client) => client.likeComment({ commentId }));
    await erase(ada);
    expect(await posts.raw.likes.countDocuments({ userId: ada, active: true })).toBe(0);
    expect((await posts.raw.posts.findOne({ _id: postId }))?.likeCount).toBe(1);
    expect((await posts.raw.comments.findOne({ _id: commentId }))?.likeCount).toBe(0);
  });

  it('that is tried again does not read what was taken back already', async () => {
    const [ada, ben] = [await posts.user(), await posts.user()];
    const { id: postId } = await posts.publish(ben, 'five squats');
    await posts.as(ada, (client) => client.likePost({ postId }));
    const seed = (await posts.raw.likes.findOne({ userId: ada }))!;
    const before = Array.from({ length: 130 }, () => {
      const targetId = newId();
      return { ...seed, ...{ _id: `${targetId}_${ada}`, targetId, postId: targetId, active: false } };
    });
    await posts.raw.likes.insertMany(before);
    await deleted(ada);
    const reads = jest.spyOn(posts.running.get(LikeRepository).rows, 'find');
    onTestEnd(() => reads.mockRestore());
    expect(await posts.running.get(ErasePosts).erase(ada, new AbortController().signal)).toBe(true);
    const ofAda = reads.mock.results.filter((_, call) => 'userId' in reads.mock.calls[call]![0]);
    const read = (await Promise.all(ofAda.map(({ value }) => value as Promise<LikeDocument[]>))).flat();
    expect(read.map(({ _id }) => _id)).toEqual([seed._id]);
    expect(await posts.raw.likes.countDocuments({ userId: ada, active: true })).toBe(0);
  });

  // Rule: ACCT-36
  it('keeps comments on posts of others, under the name of a deleted user', async () => {
    const [ada, ben] = [await posts.user(), await posts.user()];
    const { id: postId } = await posts.publish(ben, 'five squats');
    await posts.comment(ada, postId, 'I did ten');
    await erase(ada);
    const { items } = await posts.as(ben, (client) => client.listComments({ postId, limit: 0, cursor: '' }));
    expect(items.map(({ content, author }) => [content, author!.name, author!.username])).toEqual([
      ['I did ten', DELETED_USER_NAME, ''],
    ]);
  });

  it('is erased in batches, and once this service’s copy says that the account is deleted', async () => {
    const [ada, ben] = [await posts.user(), await posts.user()];
    const { id: postId } = await posts.publish(ben, 'many comments');
    await posts.publish(ada, 'one of Ada');
    const comment = await posts.comment(ben, postId, 'one');
    const seed = (await posts.raw.posts.findOne({ authorId: ada }))!;
    const many = Array.from({ length: 230 }, () => ({ ...seed, _id: newId() }));
    await posts.raw.posts.insertMany(many);
    await posts.as(ada, (client) => client.likeComment({ commentId: comment.id }));
    const eraser = posts.running.get(ErasePosts);
    expect(await eraser.erase(ada, new AbortController().signal)).toBe(false);
    expect(await posts.raw.posts.countDocuments({ authorId: ada, live: true })).toBe(231);
    await erase(ada);
    expect(await posts.raw.posts.countDocuments({ authorId: ada, live: true })).toBe(0);
  });
});

// Rule: ACCT-34
it('late events of an erased user are refused', async () => {
  const [ada, ben] = [await posts.user(), await posts.user()];
  await erase(ada);
  await posts.publishUser({ id: ada, name: 'Ada again' });
  await posts.follow(ben, ada);
  await posts.subscribe(ben, ada);
  expect(await posts.raw.users.findOne({ _id: ada })).toMatchObject({ status: 'deleted', name: '' });
  expect(await posts.raw.follows.findOne({ _id: `${ben}_${ada}` })).toBeNull();
  expect(await posts.raw.subscriptions.findOne({ _id: `${ben}_${ada}` })).toBeNull();
});
