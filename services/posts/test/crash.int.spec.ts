import { until } from '@pulso/platform/testing/until';
import { CommentRepository } from '../src/store/comment.repository.js';
import type { LikeTarget } from '../src/store/like.js';
import { LikeRepository } from '../src/store/like.repository.js';
import { PostRepository } from '../src/store/post.repository.js';
import { type TestPosts, startTestPosts } from './start.js';

/** The repositories write in single steps, so each case stops after one of these writes, as a kill would. */
describe('a kill during a write', () => {
  let posts: TestPosts;
  let author: string;
  let reader: string;
  beforeAll(async () => {
    posts = await startTestPosts();
    author = await posts.user();
    reader = await posts.user();
  });
  afterAll(() => posts?.close());

  const read = (viewer: string, id: string) => posts.as(viewer, (client) => client.getPost({ id }));
  const feedCard = async (viewer: string, id: string) =>
    (await posts.as(viewer, (client) => client.getFeed({ limit: 100, cursor: '' }))).items.find(
      (post) => post.id === id,
    );
  const post = () => posts.publish(author, 'x');
  const untilErased = (id: string) =>
    until(async () => !(await posts.raw.posts.findOne({ _id: id }))!.erasing, {
      what: 'the deleted post to be swept',
    });
  const target = (postId: string) => ({ targetId: postId, postId, onComment: false, targetAuthorId: author });
  const like = (of: LikeTarget, userId = reader) =>
    posts.inKilledReplica((replica) => replica.get(LikeRepository).activate(of, userId));
  const comment = (postId: string) =>
    posts.inKilledReplica((replica) => {
      const comments = replica.get(CommentRepository);
      const fields = { postId, postAuthorId: author, authorId: reader, content: 'uncounted' };
      return comments.rows.insert(comments.newComment(fields));
    });

  it('leaves likes and comments that the next start counts before it serves', async () => {
    const { id } = await post();
    const liked = await post();
    await posts.as(reader, (client) => client.likePost({ postId: liked.id }));
    const first = await posts.comment(reader, id, 'first');
    await posts.restart(async () => {
      await like(target(id));
      await posts.inKilledReplica((replica) => replica.get(LikeRepository).deactivate(liked.id, reader));
      await like({ targetId: first.id, postId: id, onComment: true, targetAuthorId: reader }, author);
      await comment(id);
    });
    expect(await feedCard(reader, id)).toMatchObject({ likeCount: 1, commentCount: 2, likedByViewer: true });
    expect(await feedCard(reader, liked.id)).toMatchObject({ likeCount: 0, likedByViewer: false });
    const listed = await posts.as(author, (client) =>
      client.listComments({ postId: id, limit: 0, cursor: '' }),
    );
    expect(listed.items).toMatchObject([{ likeCount: 1, likedByViewer: true }, { likeCount: 0 }]);
  });

  it('of another replica is repaired by the replica that publishes the row', async () => {
    const { id } = await post();
    expect(await feedCard(reader, id)).toMatchObject({ likeCount: 0, likedByViewer: false });
    await like(target(id));
    await comment(id);
    await posts.running.relay.drain();
    expect(await read(reader, id)).toMatchObject({ likeCount: 1, commentCount: 1, likedByViewer: true });
    expect(await feedCard(reader, id)).toMatchObject({ likeCount: 1, likedByViewer: true });
  });

  it('is repaired by a retry of the request', async () => {
    const { id } = await post();
    posts.bus.down = true;
    await like(target(id));
    expect(await posts.as(reader, (client) => client.likePost({ postId: id }))).toEqual({
      liked: true,
      likeCount: 1,
    });
    posts.bus.down = false;
  });

  // Rule: POST-9
  it('leaves a deletion that continues after the next start', async () => {
    const { id } = await post();
    const first = await posts.comment(reader, id, 'first');
    await posts.as(reader, (client) => client.likePost({ postId: id }));
    await posts.restart(async () => {
      await posts.inKilledReplica(async (replica) => {
        const repository = replica.get(PostRepository);
        await repository.markDeleted((await repository.find(id))!);
      });
      // A comment written after the sweep would have run.
      await comment(id);
    });
    const { raw } = posts;
    await untilErased(id);
    expect(await raw.comments.countDocuments({ postId: id, live: true })).toBe(0);
    expect(await raw.likes.countDocuments({ postId: id, active: true })).toBe(0);
    expect(await raw.comments.findOne({ _id: first.id })).toMatchObject({ content: '' });
  });

  it('leaves rows written after the sweep, which are swept when they are published', async () => {
    const { id } = await post();
    await posts.as(author, (client) => client.deletePost({ id }));
    const { raw } = posts;
    await untilErased(id);
    await like(target(id));
    await comment(id);
    await posts.running.relay.drain();
    const noneLeft = async () =>
      (await raw.comments.countDocuments({ postId: id, live: true })) +
        (await raw.likes.countDocuments({ postId: id, active: true })) ===
      0;
    await until(noneLeft, { what: 'the late comment and like to be swept' });
  });
});
