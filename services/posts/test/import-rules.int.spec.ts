import { IMPORT } from '@pulso/contracts/limits';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import { outcome } from '@pulso/platform/testing/outcomes';
import { aComment, aPost, importing, YEAR_AGO } from './importing.js';
import { startTestPosts, type TestPosts } from './start.js';

let posts: TestPosts;
beforeAll(async () => (posts = await startTestPosts()));
afterAll(() => posts?.close());

const { importer, importPosts, importComments, postOf } = importing(() => posts);
const { VISIBILITY_SUBSCRIBERS } = Visibility;
/** The embedded store refuses a query that passes over more rows without an index. */
const MORE_THAN_READ = 1_100;
const FUTURE = Date.UTC(2200, 0, 1);
const feedOf = async (user: string) => {
  const page = await posts.as(user, (client) => client.getFeed({ limit: 100, cursor: '' }));
  return page.items.map(({ id }) => id);
};

// Rule: ACCT-46, POST-1, POST-3
describe('an import is refused, and nothing of it is written,', () => {
  it('for what a new post or comment would be refused for, with the place of each', async () => {
    const user = await importer();
    const wrong = [
      aPost({ content: ' ' }),
      aPost({ content: 'x'.repeat(10_001) }),
      aPost({ images: [{ id: 'a', alt: 'x'.repeat(1_001), caption: '' }] }),
      aPost({ editedAt: YEAR_AGO - 1 }),
      aPost({ editedAt: FUTURE }),
    ];
    const error = await posts
      .as(user, (client) => client.importPosts({ posts: [aPost(), ...wrong] }))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'validation-failed',
      details: {
        errors: [
          expect.objectContaining({ path: 'posts.1.content', code: 'required' }),
          expect.objectContaining({ path: 'posts.2.content', code: 'too-long' }),
          expect.objectContaining({ path: 'posts.3.images.0.alt', code: 'too-long' }),
          expect.objectContaining({ path: 'posts.4.editedAt', code: 'out-of-range' }),
          expect.objectContaining({ path: 'posts.5.editedAt', code: 'out-of-range' }),
        ],
      },
    });
    expect(await posts.raw.posts.countDocuments({ authorId: user })).toBe(0);
  });

  it.each([
    ['no id', 'x'],
    ['an id without a time', '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'],
    ['the last century', newIdAt(IMPORT.since - 1)],
    ['the future', newIdAt(FUTURE)],
    ['the time since the import was begun', undefined],
  ])('for %s as the id in the archive', async (_what, given) => {
    const user = await importer();
    const post = aPost();
    await importPosts(user, post);
    const begun = (await posts.raw.imports.findOne({ _id: user }))!.begunAt.getTime();
    const sourceId = given ?? newIdAt(begun + 1);
    expect(await outcome(importPosts(user, aPost({ sourceId: newIdAt(begun) })))).toBe('resolved');
    for (const attempt of [
      () => importPosts(user, aPost({ sourceId })),
      () => importComments(user, aComment(post.sourceId, { sourceId })),
    ])
      expect(await outcome(attempt())).toBe('invalid-argument validation-failed');
  });

  it('where somebody who is no coach would publish for subscribers: it is never made public', async () => {
    const user = await importer();
    const closed = aPost({ visibility: VISIBILITY_SUBSCRIBERS });
    expect(await outcome(importPosts(user, aPost(), closed))).toBe('permission-denied permission-denied');
    expect(await posts.raw.posts.countDocuments({ authorId: user })).toBe(0);
  });

  it('for comments on posts of others, and on posts that were not imported', async () => {
    const [user, other] = [await importer(), await importer()];
    const [theirs, mine] = [aPost(), aPost()];
    const [theirId] = await importPosts(other, theirs);
    const written = await posts.publish(user, 'written here');
    await importPosts(user, mine);
    for (const postSourceId of [theirs.sourceId, theirId!, written.id, newId(), 'x', ''])
      expect(await outcome(importComments(user, aComment(mine.sourceId), aComment(postSourceId)))).toBe(
        'invalid-argument validation-failed',
      );
    expect(await posts.raw.comments.countDocuments({ authorId: user })).toBe(0);
    expect((await postOf(other, theirId!)).commentCount).toBe(0);
  });

  it('beyond what an account may import, and in too large pieces', async () => {
    const user = await importer();
    const first = aPost();
    await importPosts(user, first);
    const most = { posts: IMPORT.postsMax - 1, comments: IMPORT.commentsMax };
    await posts.raw.imports.updateOne({ _id: user }, { $set: most });
    // Rule: LIMIT-21
    expect(await outcome(importPosts(user, aPost(), aPost()))).toBe('unprocessable unprocessable');
    expect(await outcome(importPosts(user, first, aPost()))).toBe('resolved');
    expect(await outcome(importPosts(user, aPost()))).toBe('unprocessable unprocessable');
    expect(await outcome(importComments(user, aComment(first.sourceId)))).toBe('unprocessable unprocessable');
    const left = { posts: 1, comments: 0, textBytes: IMPORT.textBytesMax - 'Ñandú'.length - 2 };
    await posts.raw.imports.updateOne({ _id: user }, { $set: left });
    const link = { url: 'https://videos.example/v/1.mp4' };
    for (const attempt of [
      () => importPosts(user, aPost({ content: 'Ñandúes' })),
      () => importPosts(user, aPost({ content: '', video: link })),
      () => importComments(user, aComment(first.sourceId, { content: 'Ñandúes' })),
    ])
      expect(await outcome(attempt())).toBe('unprocessable unprocessable');
    const fitting = aComment(first.sourceId, { content: 'Ñandú' });
    expect(await outcome(importComments(user, fitting))).toBe('resolved');
    expect(await posts.raw.imports.findOne({ _id: user })).toMatchObject({
      ...{ posts: 1, comments: 1, textBytes: IMPORT.textBytesMax },
    });
    const { postsAtOnce, commentsAtOnce, idsAtOnce } = IMPORT;
    const tooMany = [
      () => importPosts(user, ...Array.from({ length: postsAtOnce + 1 }, () => aPost())),
      () =>
        importComments(user, ...Array.from({ length: commentsAtOnce + 1 }, () => aComment(first.sourceId))),
      () =>
        posts.as(user, (client) =>
          client.findImported({ postIds: Array.from({ length: idsAtOnce + 1 }, newId), commentIds: [] }),
        ),
    ];
    for (const attempt of tooMany)
      expect(await outcome(attempt())).toBe('invalid-argument validation-failed');
  });

  it('for visitors, and with the ids of others nothing of theirs is found or changed', async () => {
    const [ada, ben] = [await importer(), await importer()];
    const wanted = aPost();
    const [ofAda] = await importPosts(ada, wanted);
    const found = await posts.as(ben, (client) =>
      client.findImported({ postIds: [wanted.sourceId, ofAda!], commentIds: [] }),
    );
    expect(found.posts.map(({ imported }) => imported)).toEqual([false, false]);
    const [ofBen] = await importPosts(ben, { ...wanted, post: { ...wanted.post!, content: 'not hers' } });
    expect(ofBen).not.toBe(ofAda);
    expect((await postOf(ada, ofAda!)).content).toBe('five squats');
    expect(await outcome(posts.client.importPosts({ posts: [wanted] }))).toBe(
      'unauthenticated not-authenticated',
    );
  });
});

// Rule: ACCT-46, FEED-1
describe('what is imported', () => {
  it('is in the feeds of its author and followers alone, whatever time it claims, also in another process', async () => {
    const sourceId = newId();
    const [user, follower, stranger] = [await importer(), await posts.user(), await posts.user()];
    await posts.follow(follower, user);
    const [id] = (await importPosts(user, aPost({ sourceId }))) as [string];
    await posts.restart();
    expect(await feedOf(stranger)).not.toContain(id);
    for (const reader of [user, follower]) expect(await feedOf(reader)).toContain(id);
    expect(await postOf(stranger, id)).toMatchObject({ locked: false, content: 'five squats' });
    const { items } = await posts.as(stranger, (client) =>
      client.listUserPosts({ userId: user, limit: 10, cursor: '' }),
    );
    expect(items.map((post) => post.id)).toEqual([id]);
  });

  // Rule: HTTP-39
  it('is not told to search engines, and keeps nothing else from them, however much it is', async () => {
    const sourceId = newId();
    const user = await importer();
    const written = await posts.publish(await posts.user(), 'written here');
    const [id] = await importPosts(user, aPost({ sourceId }));
    expect((await postOf(null, id!)).content).toBe('five squats');
    const at = new Date(YEAR_AGO);
    const times = { createdAt: at, updatedAt: at, importedAt: at, changedAt: at };
    const row = { authorId: user, visibility: 'public', content: 'x', live: true, version: 1 } as const;
    const counts = { likeCount: 0, commentCount: 0 };
    const many = Array.from({ length: MORE_THAN_READ }, () => ({
      ...row,
      ...times,
      ...counts,
      _id: newId(),
    }));
    await posts.raw.posts.insertMany(many);
    const { items } = await posts.client.listPublicPosts({ limit: 1, cursor: '' });
    expect(items.map((post) => post.id)).toEqual([written.id]);
  });

  // Rule: PEOPLE-2
  it('counts for its author as posts, not as comments received', async () => {
    const [user, reader] = [await importer(), await posts.user()];
    const wanted = aPost();
    const [id] = (await importPosts(user, wanted)) as [string];
    const comments = [aComment(wanted.sourceId), aComment(wanted.sourceId)];
    const [first, second] = (await importComments(user, ...comments)) as [string, string];
    expect(await posts.statsOf(user)).toEqual({ posts: 1, likes: 0, comments: 0 });
    await posts.comment(reader, id, 'well done');
    const received = { posts: 1, likes: 0, comments: 1 };
    expect(await posts.statsOf(user)).toEqual(received);
    expect((await postOf(user, id)).commentCount).toBe(3);
    await posts.hideComment(first);
    await posts.as(user, (client) => client.deleteComment({ id: second }));
    expect((await postOf(user, id)).commentCount).toBe(1);
    expect(await posts.statsOf(user)).toEqual(received);
    await posts.restart();
    expect(await posts.statsOf(user)).toEqual(received);
  });

  it('mentions nobody', async () => {
    const ben = await posts.user({ username: 'ben-imports' });
    const user = await importer();
    const post = aPost({ content: 'Thanks @ben-imports' });
    const [postId] = await importPosts(user, post);
    const [commentId] = await importComments(user, aComment(post.sourceId, { content: 'And @ben-imports' }));
    expect(ben).toBeDefined();
    expect((await posts.raw.posts.findOne({ _id: postId }))?.mentionedIds).toEqual([]);
    expect((await posts.raw.comments.findOne({ _id: commentId }))?.mentionedIds).toEqual([]);
  });
});
