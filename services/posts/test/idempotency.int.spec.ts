import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { IdempotentInserts } from '@pulso/platform/mongo/idempotent-insert';
import { type TestPosts, startTestPosts } from './start.js';

const HOUR = 3_600_000;

// Rule: HTTP-13, POST-12
describe('idempotency keys', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 20));
  let posts: TestPosts;
  let user: string;
  beforeAll(async () => {
    posts = await startTestPosts({ clock });
    user = await posts.user();
  });
  afterAll(() => posts?.close());

  const publish = (key: string, content: string, { by = user, scope = 'POST /api/posts' } = {}) =>
    posts.as(by, (client) =>
      client.publishPost({
        content,
        visibility: 0,
        images: [],
        idempotency: { key, scope, bodyHash: `hash of ${content}` },
      }),
    );
  const stored = (content: string) => posts.raw.posts.find({ content }).toArray();

  it('returns the first response again, also to concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => publish('parallel', 'once')));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await posts.as(user, (client) => client.likePost({ postId: answers[0]!.id }));
    expect(await publish('parallel', 'once')).toEqual(answers[0]);
    expect(await stored('once')).toHaveLength(1);
  });

  it('returns the consistency token again, also after the post was published and liked', async () => {
    const idempotency = { key: 'token', scope: 'POST /api/posts', bodyHash: 'h' };
    const request = { content: 'token', visibility: 0, images: [], idempotency };
    const again = () => posts.asWith(user, [], () => posts.client.publishPost(request));
    const first = await again();
    expect(first.wrote).toHaveLength(1);
    expect((await again()).wrote).toEqual(first.wrote);
    await posts.as(await posts.user(), (client) => client.likePost({ postId: first.answer.id }));
    await posts.running.relay.drain();
    expect((await again()).wrote).toEqual(first.wrote);
    const concurrent = { ...request, idempotency: { ...idempotency, key: 'concurrent' } };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => posts.asWith(user, [], () => posts.client.publishPost(concurrent))),
    );
    expect(answers[0]!.wrote).toHaveLength(1);
    for (const { wrote } of answers) expect(wrote).toEqual(answers[0]!.wrote);
  });

  it('keeps no text in the stored response of a deleted post', async () => {
    const first = await publish('deleted', 'delete me');
    await posts.as(user, (client) => client.deletePost({ id: first.id }));
    const row = await posts.raw.posts.findOne({ _id: first.id });
    expect(Buffer.from(row!.idempotencyAnswer!).includes('delete me')).toBe(false);
    expect(await publish('deleted', 'delete me')).toEqual(first);
  });

  it('refuses another body under the same key', async () => {
    await publish('reused', 'one');
    await expect(publish('reused', 'two')).rejects.toMatchObject({
      kind: 'unprocessable',
      code: 'idempotency-key-reused',
    });
    expect(await stored('two')).toEqual([]);
  });

  it('is per user and scope', async () => {
    const other = await posts.user();
    const answers = [
      await publish('shared', 'mine'),
      await publish('shared', 'mine', { by: other }),
      await publish('shared', 'mine', { scope: 'elsewhere' }),
    ];
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
  });

  it('applies to comments', async () => {
    const { id: postId } = await posts.publish(user, 'commented');
    const idempotency = { key: 'k', scope: `POST /api/posts/${postId}/comments`, bodyHash: 'h' };
    const add = () => posts.as(user, (client) => client.addComment({ postId, content: 'hi', idempotency }));
    const [first, ...others] = await Promise.all([add(), add(), add()]);
    for (const other of others) expect(other).toEqual(first);
    expect((await posts.as(user, (client) => client.getPost({ id: postId }))).commentCount).toBe(1);
  });

  it('expires after 24 hours, even before the purge', async () => {
    const first = await publish('old', 'again');
    clock.advance(23 * HOUR);
    expect(await publish('old', 'again')).toEqual(first);
    clock.advance(HOUR);
    expect((await publish('old', 'again')).id).not.toBe(first.id);
    clock.advance(24 * HOUR);
    const keys = () => posts.raw.posts.countDocuments({ idempotencyAt: { $gt: new Date(0) } });
    const kept = await keys();
    await posts.running.get(IdempotentInserts).purge(AbortSignal.abort());
    expect(await keys()).toBe(kept);
    await posts.running.get(IdempotentInserts).purge(new AbortController().signal);
    expect(await keys()).toBe(0);
    const row = await posts.raw.posts.findOne({ _id: first.id });
    expect(row).not.toHaveProperty('idempotencyId');
  });
});
