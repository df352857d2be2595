import { jest } from '@jest/globals';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { Visibility } from '@pulso/contracts/posts/v1/posts';
import type { DomainError } from '@pulso/platform/errors/domain-error';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import { MAX_TURNS } from '@pulso/platform/paging/turns';
import { until } from '@pulso/platform/testing/until';
import { HideComments } from '../src/comment/hide-comments.job.js';
import { CommentRepository } from '../src/store/comment.repository.js';
import type { CommentDocument } from '../src/store/comment.schema.js';
import { type TestPosts, startTestPosts } from './start.js';

const SUSPENDED = UserStatus.USER_STATUS_SUSPENDED;
const ACTIVE = UserStatus.USER_STATUS_ACTIVE;
const MANY = 1_200;

// Rule: POST-22, PEOPLE-38, HTTP-5
describe('comments that a reader may not see', () => {
  let posts: TestPosts;
  let serial = 0;
  beforeAll(async () => {
    posts = await startTestPosts();
  });
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => posts?.close());

  const page = (viewer: string | null, postId: string, cursor = '', limit = 20) =>
    posts.as(viewer, (client) => client.listComments({ postId, limit, cursor }));
  const all = (viewer: string | null, postId: string) => posts.all((cursor) => page(viewer, postId, cursor));
  const marked = (authorId: string) => posts.raw.comments.countDocuments({ authorId, authorHidden: true });
  const untilMarked = (authorId: string, count: number) =>
    until(async () => (await marked(authorId)) === count, { what: `${count} marked comments of the author` });

  /** Rows as `addComment` writes them; many take too long by call. */
  const insert = async (
    postId: string,
    authorId: string,
    count: number,
    hiding: Partial<CommentDocument> = {},
  ): Promise<void> => {
    const start = Date.now() - 3_600_000;
    const rows = Array.from({ length: count }, (): CommentDocument => {
      const createdAt = new Date(start + serial++);
      return {
        _id: newIdAt(createdAt.getTime()),
        postId,
        postAuthorId: authorId,
        authorId,
        content: 'buy',
        likeCount: 0,
        createdAt,
        updatedAt: createdAt,
        live: true,
        version: 1,
        ...hiding,
      };
    });
    await posts.raw.comments.insertMany(rows);
  };

  /** A post with many comments of a spammer and, before and after them, others'. */
  const spammed = async (count = MANY) => {
    const [author, spammer] = [await posts.user(), await posts.user()];
    const { id } = await posts.publish(author, 'x');
    await insert(id, author, 5);
    await insert(id, spammer, count);
    for (let last = 0; last < 3; last++) await posts.comment(author, id, `last ${last}`);
    return { author, spammer, id };
  };
  const queries = () => jest.spyOn(posts.running.get(CommentRepository), 'listShown');

  it('cost a page nothing once those of a suspended author are marked, on every replica', async () => {
    const { author, spammer, id } = await spammed();
    await posts.publishUser({ id: spammer, status: SUSPENDED });
    await untilMarked(spammer, MANY);
    const asked = queries();
    const { items, nextCursor } = await page(null, id);
    expect(items.map(({ author: by }) => by!.id)).toEqual(Array.from({ length: 8 }, () => author));
    expect([nextCursor, asked.mock.calls.length]).toEqual(['', 1]);

    await posts.publishUser({ id: spammer, status: ACTIVE });
    await untilMarked(spammer, 0);
    expect(await all(null, id)).toHaveLength(MANY + 8);
  });

  // Rule: PEOPLE-37
  it('cost a page nothing where moderators hide them, also beside those of its reader', async () => {
    const [author, spammer, rude] = [await posts.user(), await posts.user(), await posts.user()];
    const { id } = await posts.publish(author, 'x');
    const hiding = { hiddenReason: 'spam', hiddenAt: new Date(), hiddenOfPost: id };
    await insert(id, author, 5);
    await insert(id, spammer, MANY / 2, hiding);
    await insert(id, rude, 1, hiding);
    await insert(id, spammer, MANY / 2, hiding);
    for (let last = 0; last < 3; last++) await posts.comment(author, id, `last ${last}`);
    const asked = queries();
    const authors = async (viewer: string | null) => {
      asked.mockClear();
      const { items, nextCursor } = await page(viewer, id);
      expect([nextCursor, asked.mock.calls.length]).toEqual(['', 1]);
      return items.map(({ author: by }) => by!.id);
    };
    const times = (count: number, by: string) => Array.from({ length: count }, () => by);
    for (const viewer of [null, author]) expect(await authors(viewer)).toEqual(times(8, author));
    expect(await authors(rude)).toEqual([...times(5, author), rude, ...times(3, author)]);
    const found = await all(spammer, id);
    expect(found.map(({ author: by }) => by!.id)).toEqual([
      ...[...times(5, author), ...times(MANY, spammer), ...times(3, author)],
    ]);
    expect(new Set(found.map(({ id: commentId }) => commentId)).size).toBe(MANY + 8);
  });

  // Rule: POST-23, PEOPLE-24
  it('are unknown to those who would delete them', async () => {
    const [coach, other, stranger] = [await posts.coach(), await posts.user(), await posts.user()];
    const commented = async (visibility?: Visibility, author = coach) => {
      const { id } = await posts.publish(coach, 'x', visibility);
      return (await posts.comment(author, id, 'x')).id;
    };
    const refused = async (id: string, user = stranger) => {
      const error: unknown = await posts
        .as(user, (client) => client.deleteComment({ id }))
        .catch((thrown: unknown) => thrown);
      const { code, message } = error as DomainError;
      return { code, message };
    };
    const unknown = { code: 'not-found', message: 'Comment not found' };
    expect(await refused(newId())).toEqual(unknown);

    const locked = await commented(Visibility.VISIBILITY_SUBSCRIBERS);
    expect(await refused(locked)).toEqual(unknown);
    await posts.subscribe(stranger, coach);
    expect((await refused(locked)).code).toBe('permission-denied');

    const open = await commented(undefined, other);
    expect((await refused(open)).code).toBe('permission-denied');
    await posts.hideComment(open);
    expect(await refused(open)).toEqual(unknown);
    await posts.hideComment(open, false);
    await posts.publishUser({ id: other, status: SUSPENDED });
    expect(await refused(open)).toEqual(unknown);

    await posts.block(coach, stranger);
    expect(await refused(await commented())).toEqual(unknown);
  });

  it('are passed over in a bounded number of queries, until a later page', async () => {
    const { author, spammer, id } = await spammed();
    const reader = await posts.user();
    await posts.block(reader, spammer);
    const asked = queries();
    const first = await page(reader, id);
    expect(asked).toHaveBeenCalledTimes(MAX_TURNS);
    expect(first.items).toHaveLength(5);
    expect(first.nextCursor).not.toBe('');
    expect((await all(reader, id)).map(({ author: by }) => by!.id)).toEqual(
      Array.from({ length: 8 }, () => author),
    );
    expect(await all(author, id)).toHaveLength(MANY + 8);
  });

  it('are never shown, nor kept back, while they are marked or unmarked', async () => {
    const { spammer, id } = await spammed(30);
    for (let round = 0; round < 5; round++) {
      await posts.publishUser({ id: spammer, status: SUSPENDED });
      expect(await all(null, id)).toHaveLength(8);
      await posts.publishUser({ id: spammer, status: ACTIVE });
      expect(await all(null, id)).toHaveLength(38);
    }
  });

  it('are marked and unmarked by the next start when a crash came between', async () => {
    const [{ spammer, id }, back] = [await spammed(700), await spammed(700)];
    await posts.publishUser({ id: back.spammer, status: SUSPENDED });
    await untilMarked(back.spammer, 700);
    jest.spyOn(HideComments.prototype, 'statusChanged').mockResolvedValue();
    jest.spyOn(CommentRepository.prototype, 'mark').mockResolvedValue();
    await posts.publishUser({ id: spammer, status: SUSPENDED });
    await posts.publishUser({ id: back.spammer, status: ACTIVE });
    await posts.restart(async () => void jest.restoreAllMocks());
    await untilMarked(spammer, 700);
    await untilMarked(back.spammer, 0);
    expect(await all(null, id)).toHaveLength(8);
    expect(await all(null, back.id)).toHaveLength(708);
  });
});
