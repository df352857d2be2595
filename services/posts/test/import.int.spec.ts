import type { ImageFacts } from '@pulso/contracts/media/v1/media';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { newId, timeOfId } from '@pulso/platform/ids/uuid-v7';
import { everythingHeld } from '@pulso/platform/testing/exported';
import { outcome } from '@pulso/platform/testing/outcomes';
import { aComment, aPost, importing, YEAR_AGO } from './importing.js';
import { startTestPosts, type TestPosts } from './start.js';

let posts: TestPosts;
beforeAll(async () => (posts = await startTestPosts()));
afterAll(() => posts?.close());

const { importer, importPosts, importComments, postOf, stateOf } = importing(() => posts);
const { VISIBILITY_PUBLIC, VISIBILITY_SUBSCRIBERS } = Visibility;
const begin = (user: string, sourceUserId: string) =>
  outcome(posts.as(user, (client) => client.beginImport({ sourceUserId })));

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
  });

  it('is in what is held of the user', async () => {
    const user = await importer();
    const post = aPost();
    await importPosts(user, post);
    await importComments(user, aComment(post.sourceId));
    const held = await everythingHeld((request) => posts.as(user, (client) => client.exportUser(request)));
    const textBytes = 'five squats'.length + 'and five more'.length;
    expect(held['imports']).toEqual([expect.objectContaining({ posts: 1, comments: 1, textBytes })]);
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
    const check = async () => {
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
    };
    await check();
    // As the outbox removes them 7 days later.
    for (const [rows, _id] of [
      [posts.raw.posts, goneId],
      [posts.raw.comments, keptComment],
    ] as const)
      expect((await (rows as typeof posts.raw.posts).deleteOne({ _id })).deletedCount).toBe(1);
    await check();
    expect(await posts.raw.posts.countDocuments({ authorId: user })).toBe(1);
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
