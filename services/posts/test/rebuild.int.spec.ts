import { eventOf } from '@pulso/platform/events/event-record';
import { republish } from '@pulso/platform/events/republish';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { until } from '@pulso/platform/testing/until';
import type { Topic } from '@pulso/contracts/topics/topic';
import { priceTopic, subscriptionTopic } from '@pulso/contracts/topics/billing';
import { userTopic } from '@pulso/contracts/topics/identity';
import { videoTopic } from '@pulso/contracts/topics/media';
import { blockTopic, followTopic, hiddenCommentTopic, hiddenPostTopic } from '@pulso/contracts/topics/social';
import { type PostsReplica, type TestPosts, startTestPosts } from './start.js';

type Collection =
  | 'users'
  | 'prices'
  | 'follows'
  | 'blocks'
  | 'subscriptions'
  | 'hiddenPosts'
  | 'hiddenComments'
  | 'videos';

const TOPICS: readonly [Collection, Topic<{ version: number }>][] = [
  ['users', userTopic],
  ['prices', priceTopic],
  ['follows', followTopic],
  ['blocks', blockTopic],
  ['subscriptions', subscriptionTopic],
  ['hiddenPosts', hiddenPostTopic],
  ['hiddenComments', hiddenCommentTopic],
  ['videos', videoTopic],
] as never;

describe('projections rebuilt while two replicas serve', () => {
  let posts: TestPosts;
  let other: PostsReplica;
  let viewer: string;
  let hidden: string;
  let commented: string;
  const commentIds: string[] = [];

  beforeAll(async () => {
    posts = await startTestPosts();
    other = await posts.startReplica();
    // From here on both are in one consumer group, and the first has all its partitions.
    posts.bus.oneReplica = true;
    viewer = await posts.user();
    const authors = [await posts.coach(), await posts.coach(), await posts.user(), await posts.user()];
    const [subscribed, followed, blocked] = authors as [string, string, string, string];
    await posts.follow(viewer, followed);
    await posts.subscribe(viewer, subscribed);
    await posts.block(blocked, viewer);
    for (const author of authors) await posts.publish(author, `by ${author}`);
    await posts.price(subscribed, 40_000);
    hidden = (await posts.publish(followed, 'hidden')).id;
    await posts.hide(hidden);
    commented = (await posts.publish(followed, 'commented')).id;
    const comments = ['hidden', 'shown again', 'never hidden'];
    for (const text of comments) commentIds.push((await posts.comment(viewer, commented, text)).id);
    await posts.hideComment(commentIds[0]!);
    await posts.hideComment(commentIds[1]!);
    await posts.hideComment(commentIds[1]!, false);
    await posts.tellVideo(viewer, posts.video());
    const gone = await posts.tellVideo(viewer, posts.video());
    await posts.tellVideoGone(viewer, gone.id);
  });
  afterAll(async () => {
    await other?.stop();
    await posts?.close();
  });

  const rowsOf = async (name: Collection) => {
    const projection = { changedAt: 0, confirmedBy: 0 };
    return posts.raw[name].find({}, { projection }).sort({ _id: 1 }).limit(100).toArray();
  };
  const pageOf = async ({ client }: Pick<PostsReplica, 'client'>) =>
    (await posts.asWith(viewer, [], () => client.getFeed({ limit: 100, cursor: '' }))).answer.items;
  const commentsSeen = async () => {
    const list = { postId: commented, limit: 0, cursor: '' };
    const { items } = await posts.as(null, (client) => client.listComments(list));
    const { commentCount } = await posts.as(null, (client) => client.getPost({ id: commented }));
    return { commentCount, texts: items.map(({ content }) => content) };
  };
  const republishAll = async (meanwhile = async () => undefined as void) => {
    for (const [, topic] of TOPICS) {
      // The last published state of each key is what its owner would republish.
      const owned = new Map(
        posts.bus.published
          .filter((event) => event.topic === topic.name && event.version > 1 && !event.republished)
          .map((event) => [event.key, topic.codec.decode(event.payload)]),
      );
      const states = async function* () {
        for (const state of owned.values()) {
          await meanwhile();
          yield state;
        }
      };
      await republish({ topic, states: states(), bus: posts.bus });
    }
  };
  const untilEqual = async (replica: Pick<PostsReplica, 'client'>, wanted: unknown[]) => {
    let page: unknown[] = [];
    const isEqual = async () => {
      page = await pageOf(replica);
      return JSON.stringify(page) === JSON.stringify(wanted);
    };
    await until(isEqual, { what: () => `the right page, not ${JSON.stringify(page)}` });
    expect(await pageOf(replica)).toEqual(wanted);
  };

  it.each<[string, (name: Collection) => Promise<unknown>]>([
    ['thrown away', (name) => posts.raw[name].deleteMany({ _id: { $gt: '' } })],
    [
      'corrupted, with versions that would reject the right states',
      async (name) => {
        const wrong = {
          name: 'Mallory',
          active: false,
          hidden: false,
          isCoach: false,
          priceMinor: 1,
          version: 9e15,
        };
        for (const { _id } of await rowsOf(name)) {
          await posts.raw[name].updateOne({ _id }, { $set: wrong } as never);
        }
      },
    ],
    [
      'extended by rows that were never published',
      async (name) => {
        const authors = (await rowsOf('users'))
          .map(({ _id }) => _id)
          .filter((id) => id !== viewer && isId(id));
        for (const author of authors) {
          const wrong = {
            follows: { followerId: viewer, targetId: author, active: true },
            blocks: { blockerId: viewer, blockedId: author, active: true },
            subscriptions: { userId: viewer, coachId: author, active: true, accessUntil: null },
            users: { status: 'active', name: 'Nobody', isCoach: true },
            prices: { priceMinor: 1, currency: 'USD' },
            hiddenPosts: { authorId: author, hidden: true, reason: 'spam', decidedAt: new Date() },
            hiddenComments: { hidden: true, reason: 'spam', decidedAt: new Date() },
            videos: { facts: null },
          }[name];
          const row = { ...wrong, version: 9e15, changedAt: new Date(Date.now() - 1_000) };
          await posts.raw[name].updateOne({ _id: `${author}_x` }, { $set: row } as never, {
            upsert: true,
          });
        }
      },
    ],
  ])('are restored after they were %s', async (_, spoil) => {
    const wanted = await pageOf(posts);
    expect(wanted.map(({ id }) => id)).not.toContain(hidden);
    await untilEqual(other, wanted);
    const before = await Promise.all(TOPICS.map(([name]) => rowsOf(name)));
    for (const [name] of TOPICS) await spoil(name);
    const spoilt = await Promise.all(TOPICS.map(([name]) => rowsOf(name)));
    expect(spoilt).not.toEqual(before);
    // Both replicas must have seen the corrupted rows, so that their caches have to be reloaded.
    await posts.restart();
    await other.stop();
    other = await posts.startReplica();
    await Promise.all([pageOf(posts), pageOf(other)].map((page) => page.catch(() => undefined)));

    await republishAll(async () => void (await pageOf(other).catch(() => undefined)));
    const after = await Promise.all(TOPICS.map(([name]) => rowsOf(name)));
    expect(after).toEqual(before);
    expect(await pageOf(posts)).toEqual(wanted);
    await untilEqual(other, wanted);
    expect(await commentsSeen()).toEqual({ commentCount: 2, texts: ['shown again', 'never hidden'] });
  });

  it('show a comment again whose hiding was never decided', async () => {
    const hiding = { hiddenReason: 'spam', hiddenAt: new Date(), hiddenOfPost: commented };
    await posts.raw.comments.updateOne({ _id: commentIds[2]! }, { $set: hiding });
    expect((await commentsSeen()).texts).toEqual(['shown again']);
    await republishAll();
    expect(await commentsSeen()).toEqual({ commentCount: 2, texts: ['shown again', 'never hidden'] });
  });

  it('process the events that follow', async () => {
    const author = await posts.user();
    const { id } = await posts.publish(author, 'news');
    await republishAll();
    await posts.block(viewer, author);
    expect((await pageOf(posts)).map((post) => post.id)).not.toContain(id);
    const state = { blockerId: viewer, blockedId: author, active: false, version: 5 };
    await posts.bus.publish([eventOf(blockTopic, state)]);
    expect((await pageOf(posts)).map((post) => post.id)).not.toContain(id);
  });
});
