import { Visibility } from '@pulso/contracts/posts/v1/posts';
import { Dice } from '@pulso/platform/testing/seeded';
import { type TestPosts, startTestPosts } from './start.js';

const WORLDS = Number(process.env['TOTALS_WORLDS'] ?? 3);
const ROUNDS = 6;
const AT_ONCE = 12;

// Rule: PEOPLE-2, POST-19
describe('the totals of an author', () => {
  let posts: TestPosts;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterAll(() => posts?.close());

  /** What a profile must show, by counting the rows. */
  const counted = async (authorId: string) => {
    const { raw } = posts;
    const hidden = await raw.hiddenPosts.find({ hidden: true }).toArray();
    const shown = await raw.posts
      .find({ authorId, live: true, _id: { $nin: hidden.map(({ _id }) => _id) } })
      .toArray();
    const ids = shown.map(({ _id }) => _id);
    const [likes, comments] = await Promise.all([
      raw.likes.countDocuments({ targetId: { $in: ids }, active: true }),
      raw.comments.countDocuments({ postId: { $in: ids }, live: true }),
    ]);
    return { posts: ids.length, likes, comments };
  };

  /** One random write; one that comes too late for its target is refused. */
  const write = async (dice: Dice, users: readonly string[], written: { id: string; author: string }[]) => {
    const user = dice.pick(users);
    const kind = dice.below(9);
    if (kind < 2 || written.length === 0) {
      const { id } = await posts.publish(user, 'x');
      written.push({ id, author: user });
      return;
    }
    const { id, author } = dice.pick(written);
    const as = (call: Parameters<TestPosts['as']>[1]) => posts.as(user, call as never);
    if (kind === 2) await as((client) => client.unlikePost({ postId: id }));
    else if (kind < 6) await as((client) => client.likePost({ postId: id }));
    else if (kind === 6) {
      const comment = await posts.comment(user, id, 'x');
      if (dice.chance(0.4)) await as((client) => client.deleteComment({ id: comment.id }));
    } else if (kind === 7) await posts.hide(id, dice.chance(0.5));
    else if (dice.chance(0.5)) await posts.as(author, (client) => client.deletePost({ id }));
    else {
      const visibility = dice.pick([Visibility.VISIBILITY_PUBLIC, Visibility.VISIBILITY_SUBSCRIBERS]);
      await posts.as(author, (client) => client.editPost({ id, visibility }));
    }
  };

  it.each(Array.from({ length: WORLDS }, (_, seed) => seed))(
    'equal the counted ones after concurrent writes (world %d) and after a restart',
    async (seed) => {
      const dice = new Dice(seed);
      const users = [await posts.coach(), await posts.coach(), await posts.user()];
      const written: { id: string; author: string }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const results = await Promise.allSettled(
          Array.from({ length: AT_ONCE }, () => write(dice, users, written)),
        );
        for (const result of results) {
          if (result.status === 'fulfilled') continue;
          expect(['not-found', 'subscription-required', 'permission-denied']).toContain(result.reason.code);
        }
        for (const user of users) expect(await posts.statsOf(user)).toEqual(await counted(user));
      }
      await posts.restart();
      for (const user of users) expect(await posts.statsOf(user)).toEqual(await counted(user));
    },
  );

  it('show the caller’s own like and comment on another replica at once', async () => {
    const [author, reader] = [await posts.user(), await posts.user()];
    const replica = await posts.startReplica();
    try {
      const { id } = await posts.publish(author, 'x');
      const there = async (after: Parameters<TestPosts['asWith']>[1]) => {
        const ask = () => replica.client.getUsersStats({ userIds: [author] });
        return (await posts.asWith(reader, after, ask)).answer.stats[0];
      };
      const liked = await posts.asWith(reader, [], () => posts.client.likePost({ postId: id }));
      expect(await there(liked.wrote)).toEqual({ posts: 1, likes: 1, comments: 0 });
      const commented = await posts.asWith(reader, [], () =>
        posts.client.addComment({ postId: id, content: 'y', idempotency: undefined }),
      );
      expect(await there(commented.wrote)).toEqual({ posts: 1, likes: 1, comments: 1 });
    } finally {
      await replica.stop();
    }
  });
});
