import { IMPORT } from '@pulso/contracts/limits';
import type { ImageFacts } from '@pulso/contracts/media/v1/media';
import { type CommentToImport, type PostToImport, Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId, newIdAt, timeOfId } from '@pulso/platform/ids/uuid-v7';
import { everythingHeld } from '@pulso/platform/testing/exported';
import { outcome } from '@pulso/platform/testing/outcomes';
import { startTestPosts, type TestPosts } from './start.js';

let posts: TestPosts;
beforeAll(async () => (posts = await startTestPosts()));
afterAll(() => posts?.close());

const YEAR_AGO = Date.UTC(2025, 9, 1);
/** The embedded store refuses a query that passes over more rows without an index. */
const MORE_THAN_READ = 1_100;
const FUTURE = Date.UTC(2200, 0, 1);
const { VISIBILITY_PUBLIC, VISIBILITY_SUBSCRIBERS } = Visibility;

const aPost = (fields: Partial<PostToImport> & Partial<PostToImport['post']> = {}): PostToImport => {
  const { sourceId = newIdAt(YEAR_AGO), editedAt, ...post } = fields;
  const draft = { content: 'five squats', visibility: VISIBILITY_PUBLIC, images: [], idempotency: undefined };
  return { sourceId, editedAt, post: { ...draft, ...post } };
};
const aComment = (postSourceId: string, fields: Partial<CommentToImport> = {}): CommentToImport => ({
  ...{ sourceId: newIdAt(YEAR_AGO + 1_000), postSourceId, content: 'and five more' },
  ...fields,
});

/** A user who has begun to import. */
async function importer(isCoach = false): Promise<string> {
  const user = await posts.user({ isCoach });
  await posts.as(user, (client) => client.beginImport({ sourceUserId: newId() }));
  return user;
}
const importPosts = async (user: string, ...wanted: PostToImport[]) =>
  (await posts.as(user, (client) => client.importPosts({ posts: wanted }))).ids;
const importComments = async (user: string, ...comments: CommentToImport[]) =>
  (await posts.as(user, (client) => client.importComments({ comments }))).ids;
const stateOf = (user: string) => posts.as(user, (client) => client.getImport({}));
const postOf = (user: string | null, id: string) => posts.as(user, (client) => client.getPost({ id }));
const begin = (user: string, sourceUserId: string) =>
  outcome(posts.as(user, (client) => client.beginImport({ sourceUserId })));
const feedOf = async (user: string) => {
  const page = await posts.as(user, (client) => client.getFeed({ limit: 100, cursor: '' }));
  return page.items.map(({ id }) => id);
};

// Rule: ACCT-46
describe('an import', () => {
  it('keeps text, time, edit and visibility, and says that it is one', async () => {
    const coach = await importer(true);
    const [open, closed] = [
      aPost({ editedAt: YEAR_AGO + 5_000 }),
      aPost({ content: 'for those who pay', visibility: VISIBILITY_SUBSCRIBERS }),
    ];
    const [openId, closedId] = (await importPosts(coach, open, closed)) as [string, string];
    expect(await postOf(coach, openId)).toMatchObject({
      ...{ content: 'five squats', visibility: VISIBILITY_PUBLIC },
      ...{ createdAt: timeOfId(open.sourceId), editedAt: YEAR_AGO + 5_000 },
    });
    expect((await postOf(coach, openId)).importedAt).toEqual(expect.any(Number));
    const locked = await postOf(await posts.user(), closedId);
    expect(locked).toMatchObject({ locked: true, visibility: VISIBILITY_SUBSCRIBERS });
    const [commentId] = await importComments(coach, aComment(open.sourceId));
    const { items } = await posts.as(null, (client) =>
      client.listComments({ postId: openId, limit: 10, cursor: '' }),
    );
    expect(items).toEqual([
      expect.objectContaining({
        ...{ id: commentId, content: 'and five more', createdAt: YEAR_AGO + 1_000 },
        importedAt: expect.any(Number),
      }),
    ]);
    expect(await stateOf(coach)).toMatchObject({ posts: 2, comments: 1 });
    expect(await posts.statsOf(coach)).toEqual({ posts: 2, likes: 0, comments: 1 });
  });

  it('is in what is held of the user', async () => {
    const user = await importer();
    const post = aPost();
    await importPosts(user, post);
    await importComments(user, aComment(post.sourceId));
    const held = await everythingHeld((request) => posts.as(user, (client) => client.exportUser(request)));
    expect(held['imports']).toEqual([expect.objectContaining({ posts: 1, comments: 1 })]);
    for (const section of ['posts', 'comments'])
      expect(held[section]).toEqual([expect.objectContaining({ importedAt: expect.any(String) })]);
  });

  it('repeated, also at once, changes nothing', async () => {
    const user = await importer();
    const wanted = [aPost(), aPost({ content: 'ten squats' })];
    const comment = aComment(wanted[0]!.sourceId);
    const raced = await Promise.all(Array.from({ length: 5 }, () => importPosts(user, ...wanted)));
    for (const ids of raced) expect(ids).toEqual(raced[0]);
    const changed = { ...wanted[1]!, post: { ...wanted[1]!.post!, content: 'other words' } };
    expect(await importPosts(user, wanted[0]!, changed, changed)).toEqual([
      ...raced[0]!,
      ...raced[0]!.slice(1),
    ]);
    expect((await postOf(user, raced[0]![1]!)).content).toBe('ten squats');
    const comments = await Promise.all(Array.from({ length: 5 }, () => importComments(user, comment)));
    expect(new Set(comments.flat()).size).toBe(1);
    expect((await postOf(user, raced[0]![0]!)).commentCount).toBe(1);
    expect(await posts.raw.posts.countDocuments({ authorId: user })).toBe(2);
    expect(await stateOf(user)).toMatchObject({ posts: 2, comments: 1 });
  });

  it('tells which ids are there, and does not bring back what was deleted since', async () => {
    const user = await importer();
    const [kept, gone, missing] = [aPost(), aPost(), aPost()];
    const [, goneId] = (await importPosts(user, kept, gone)) as [string, string];
    const [onKept, onGone] = [aComment(kept.sourceId), aComment(gone.sourceId)];
    const [keptComment] = (await importComments(user, onKept)) as [string];
    await posts.as(user, (client) => client.deletePost({ id: goneId }));
    await posts.as(user, (client) => client.deleteComment({ id: keptComment }));
    const found = await posts.as(user, (client) =>
      client.findImported({
        postIds: [kept, gone, missing].map(({ sourceId }) => sourceId).concat('x'),
        commentIds: [onKept.sourceId, onGone.sourceId],
      }),
    );
    expect(found.posts.map(({ imported }) => imported)).toEqual([true, true, false, false]);
    expect(found.comments.map(({ imported }) => imported)).toEqual([true, false]);
    expect(found.posts[3]).toEqual({ id: '', imported: false });
    expect(await importPosts(user, gone)).toEqual(['']);
    expect(await importComments(user, onKept, onGone)).toEqual(['', '']);
    expect(await outcome(postOf(user, goneId))).toBe('not-found not-found');
  });

  it('attaches images and videos that media has granted to that very post, and no others', async () => {
    const user = await importer();
    const wanted = aPost();
    const { posts: found } = await posts.as(user, (client) =>
      client.findImported({ postIds: [wanted.sourceId], commentIds: [] }),
    );
    const { id } = found[0]!;
    const image: ImageFacts = {
      ...{ id: newId(), width: 1600, height: 900, blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' },
      ...{ originalName: 'rowing ☕.jpg', originalSize: 2_400_000, bytes: 310_000 },
    };
    const post = (ticket: string) => ({
      ...wanted,
      post: { ...wanted.post!, images: [{ id: image.id, alt: 'A squat', caption: '' }], ticket },
    });
    const refused = async (owner: string, postId: string) =>
      outcome(importPosts(user, aPost(), post(await posts.ticket(owner, postId, [image]))));
    expect(await refused(user, newId())).toBe('unprocessable media-not-attachable');
    expect(await refused(await posts.user(), id)).toBe('unprocessable media-not-attachable');
    expect(await outcome(importPosts(user, post('')))).toBe('unprocessable media-not-attachable');
    expect(await posts.raw.posts.countDocuments({ authorId: user })).toBe(0);
    expect(await importPosts(user, post(await posts.ticket(user, id, [image])))).toEqual([id]);
    expect((await postOf(user, id)).images).toEqual([
      expect.objectContaining({ id: image.id, alt: 'A squat' }),
    ]);
    const [video, withVideo] = [posts.video(), aPost({ content: '' })];
    const [granted] = (
      await posts.as(user, (client) => client.findImported({ postIds: [withVideo.sourceId], commentIds: [] }))
    ).posts;
    const ticket = await posts.ticket(user, granted!.id, [], video);
    const [videoPost] = await importPosts(user, {
      ...withVideo,
      post: { ...withVideo.post!, video: { uploadId: video.id }, ticket },
    });
    expect((await postOf(user, videoPost!)).video?.upload?.facts?.id).toBe(video.id);
  });
});

// Rule: ACCT-46
describe('an import begins', () => {
  it('in an account without posts and comments, and goes on with the same source', async () => {
    const [user, source] = [await posts.user(), newId()];
    expect(await stateOf(user)).toEqual({ sourceUserId: undefined, posts: 0, comments: 0 });
    expect(await begin(user, source)).toBe('resolved');
    const wanted = aPost();
    const [id] = await importPosts(user, wanted);
    await posts.publish(user, 'a new life');
    expect(await begin(user, source)).toBe('resolved');
    expect(await stateOf(user)).toEqual({ sourceUserId: source, posts: 1, comments: 0 });
    expect(await begin(user, newId())).toBe('conflict account-not-empty');
    expect(await importPosts(user, wanted)).toEqual([id]);
  });

  it('with another source once the account is empty again, and goes on counting', async () => {
    const [user, other] = [await importer(), newId()];
    const [id] = await importPosts(user, aPost());
    await posts.as(user, (client) => client.deletePost({ id: id! }));
    expect(await begin(user, other)).toBe('resolved');
    expect(await stateOf(user)).toEqual({ sourceUserId: other, posts: 1, comments: 0 });
  });

  it('nowhere else', async () => {
    const [author, commenter] = [await posts.user(), await posts.user()];
    const { id } = await posts.publish(author, 'mine');
    await posts.comment(commenter, id, 'well done');
    for (const user of [author, commenter])
      expect(await begin(user, newId())).toBe('conflict account-not-empty');
    expect(await begin(await posts.user(), 'x')).toBe('invalid-argument validation-failed');
    const user = await posts.user();
    const wanted = aPost();
    expect(await outcome(importPosts(user, wanted))).toBe('conflict conflict');
  });
});

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
  ])('for %s as the id in the archive', async (_what, sourceId) => {
    const user = await importer();
    const post = aPost();
    await importPosts(user, post);
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
    const [user, follower, stranger] = [await importer(), await posts.user(), await posts.user()];
    await posts.follow(follower, user);
    const [id] = (await importPosts(user, aPost({ sourceId: newId() }))) as [string];
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
    const user = await importer();
    const written = await posts.publish(await posts.user(), 'written here');
    const [id] = await importPosts(user, aPost({ sourceId: newId() }));
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
