import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import { gate } from '@pulso/platform/testing/gate';
import { until } from '@pulso/platform/testing/until';
import type { mongo } from 'mongoose';
import { CountKeeper } from '../src/store/count-keeper.js';
import { likeId } from '../src/store/like.js';
import { LikeRepository } from '../src/store/like.repository.js';
import type { LikeDocument } from '../src/store/like.schema.js';
import { RowCounting } from '../src/store/row-counting.js';
import { type TestPosts, startTestPosts } from './start.js';

/** Changes and counts are two writes: which rows are counted, by whom, and how often. */
describe('the counting of likes', () => {
  let posts: TestPosts;
  let author: string;
  beforeAll(async () => {
    posts = await startTestPosts();
    author = await posts.user();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    posts.bus.down = false;
  });
  afterAll(() => posts?.close());

  const aPost = async () => (await posts.publish(author, 'x')).id;
  const like = (userId: string, postId: string) => posts.as(userId, (client) => client.likePost({ postId }));
  const likesOf = async (id: string) =>
    (await posts.as(author, (client) => client.getPost({ id }))).likeCount;
  const rowOf = async (postId: string, userId: string) =>
    (await posts.raw.likes.findOne({ _id: likeId(postId, userId) }))!;
  const drained = () =>
    until(
      async () => {
        await posts.running.relay.drain().catch(() => {});
        return (await posts.raw.likes.countDocuments({ dirtyAt: { $gt: new Date(0) } })) === 0;
      },
      { what: 'the likes to be published' },
    );
  /** The targets that are counted from now on, in every replica. */
  const counted = () => {
    const count = jest.spyOn(LikeRepository.prototype, 'countByTarget');
    return (target: string) => count.mock.calls.filter(([id]) => id === target).length;
  };

  /** Rows as their writers leave them. */
  const aRow = (postId: string, fields: Partial<LikeDocument>): LikeDocument => {
    const userId = newId();
    const version = Date.now() * 1000;
    return {
      ...{ _id: likeId(postId, userId), userId, targetId: postId, postId, onComment: false, version },
      ...{ targetAuthorId: author, active: true, createdAt: new Date() },
      ...{ dirtyAt: new Date(), dirtyVersion: version },
      ...fields,
    };
  };
  const insert = (rows: readonly LikeDocument[]) =>
    posts.raw.likes.insertMany(rows as unknown as mongo.OptionalUnlessRequiredId<LikeDocument>[]);

  it('takes the mark of a row away, and keeps that of a newer change', async () => {
    const [postId, reader] = [await aPost(), await posts.user()];
    await like(reader, postId);
    const first = await rowOf(postId, reader);
    expect(first).not.toHaveProperty('uncounted');
    expect(first.counted).toBe(first.dirtyVersion);
    const likes = posts.running.get(LikeRepository);
    await likes.deactivate(postId, reader);
    await posts.running.get(RowCounting).noteCounted(first);
    expect(await rowOf(postId, reader)).toMatchObject({ uncounted: expect.any(String) });
  });

  it('counts no row again that its writer has counted, also after a long outage of the bus and a restart', async () => {
    const postId = await aPost();
    posts.bus.down = true;
    const version = Date.now() * 1000;
    const rows = Array.from({ length: 1_000 }, () =>
      aRow(postId, { dirtyVersion: version, counted: version }),
    );
    await insert(rows);
    const counts = counted();
    await posts.restart();
    posts.bus.down = false;
    await drained();
    expect(counts(postId)).toBe(0);
  });

  it('counts rows of the version before once, when they are published', async () => {
    const postId = await aPost();
    posts.bus.down = true;
    const rows = Array.from({ length: 3 }, () => aRow(postId, {}));
    await insert(rows);
    const counts = counted();
    await posts.restart();
    expect(counts(postId)).toBe(0);
    posts.bus.down = false;
    await drained();
    expect(counts(postId)).toBe(1);
    expect(await likesOf(postId)).toBe(3);
    // Such a replica changes a row that this version has counted.
    const userId = rows[0]!.userId;
    const { version } = await rowOf(postId, userId);
    const change = { active: false, version: version + 1, dirtyVersion: version + 1, dirtyAt: new Date() };
    await posts.raw.likes.updateOne({ _id: rows[0]!._id }, { $set: change });
    await drained();
    expect(await likesOf(postId)).toBe(2);
  });

  it('begins to serve before everything is counted, and finishes later', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, aPost));
    const rest = gate('the rest to be counted');
    const original = CountKeeper.prototype.likesOfPost;
    let calls = 0;
    jest.spyOn(CountKeeper.prototype, 'likesOfPost').mockImplementation(async function (
      this: CountKeeper,
      id: string,
    ) {
      calls += 1;
      // The first one takes longer than a start waits.
      if (calls === 1) await delay(5_500);
      else await rest.opened;
      return original.call(this, id);
    });
    const marked = () => posts.raw.likes.countDocuments({ uncounted: { $gt: '' } });
    await posts.restart(async () => {
      const old = () => newIdAt(Date.now() - 60_000);
      await insert(ids.map((id) => aRow(id, { dirtyAt: undefined, uncounted: old() })));
    });
    expect(await marked()).toBe(3);
    expect((await posts.as(author, (client) => client.getPost({ id: ids[0]! }))).id).toBe(ids[0]);
    rest.open();
    await until(async () => (await marked()) === 0, { what: 'all likes to be counted' });
    for (const id of ids) expect(await likesOf(id)).toBe(1);
  });

  it('leaves a post whose count fails to itself', async () => {
    const [huge, other] = [await aPost(), await aPost()];
    const original = LikeRepository.prototype.countByTarget;
    const count = jest.spyOn(LikeRepository.prototype, 'countByTarget').mockImplementation(function (
      this: LikeRepository,
      target: string,
    ) {
      return target === huge ? Promise.reject(new Error('too slow')) : original.call(this, target);
    });
    const attempts = () => count.mock.calls.filter(([target]) => target === huge).length;
    const add = async (postId: string) => {
      const row = aRow(postId, { uncounted: newId() });
      await insert([row]);
      await posts.running.relay.drain();
      return row;
    };
    const rows = [await add(huge), await add(huge), await add(other), await add(huge)];
    // Published, all of them; and the failing count is not tried again with each.
    expect(await posts.raw.likes.countDocuments({ dirtyAt: { $gt: new Date(0) } })).toBe(0);
    expect(attempts()).toBe(1);
    expect(await likesOf(other)).toBe(1);
    const marks = await posts.raw.likes.find({ uncounted: { $gt: '' } }).toArray();
    expect(marks.map(({ _id }) => _id).toSorted()).toEqual(
      [rows[0]!, rows[1]!, rows[3]!].map(({ _id }) => _id).toSorted(),
    );
    count.mockRestore();
    await posts.restart();
    expect(await likesOf(huge)).toBe(3);
  });

  it('marks a row of the version before whose count fails', async () => {
    const postId = await aPost();
    const count = jest
      .spyOn(LikeRepository.prototype, 'countByTarget')
      .mockRejectedValue(new Error('too slow'));
    await insert([aRow(postId, {})]);
    await posts.running.relay.drain();
    expect(await posts.raw.likes.countDocuments({ uncounted: { $gt: '' } })).toBe(1);
    count.mockRestore();
    await posts.restart();
    expect(await likesOf(postId)).toBe(1);
  });
});
