import { jest } from '@jest/globals';
import { uuidV7 } from '@pulso/platform/testing/seeded';
import { FeedWorld } from '../../test/feed-index/feed-world.js';
import { FeedIndex, type FeedPosition, type IndexedPost } from './feed-index.js';
import { ViewerView, type ViewerGraph } from './viewer-view.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 20);

const [viewer, coach, friend, stranger, paid] = [1, 2, 3, 4, 5].map((n) => uuidV7(n, n, n)) as [
  string,
  string,
  string,
  string,
  string,
];
const graph: ViewerGraph = {
  viewerId: viewer,
  following: [coach, friend],
  subscribed: [coach, paid],
  blocked: [],
};

let serial = 0;
function aPost(authorId: string, hoursAgo: number, changes: Partial<IndexedPost> = {}): IndexedPost {
  return { id: uuidV7(NOW - hoursAgo * HOUR_MS, 0, serial++), authorId, relatedOnly: false, ...changes };
}

function indexOf(...posts: IndexedPost[]): FeedIndex {
  const index = new FeedIndex({ tailCapacity: 2 });
  for (const post of posts) index.upsert(post);
  return index;
}

function feedIds(index: FeedIndex, of: ViewerGraph = graph): string[] {
  return index.page(index.compileViewer(of), { asOf: NOW, limit: 100 }).items.map(({ id }) => id);
}

describe('feed index', () => {
  it('ranks by relation, then by time (FEED-3)', () => {
    const other = aPost(stranger, 0);
    const own = aPost(viewer, 10);
    const followed = aPost(friend, 700);
    const followedNew = aPost(friend, 20);
    const subscribed = aPost(paid, 2000);
    const both = aPost(coach, 3000);
    const index = indexOf(other, own, followed, followedNew, subscribed, both);
    const page = index.page(index.compileViewer(graph), { asOf: NOW, limit: 10 });
    expect(page.items).toEqual([
      { id: both.id, score: 5000 * HOUR_MS },
      { id: subscribed.id, score: 3000 * HOUR_MS },
      { id: followedNew.id, score: 2980 * HOUR_MS },
      { id: own.id, score: 2490 * HOUR_MS },
      { id: followed.id, score: 2300 * HOUR_MS },
      { id: other.id, score: 1000 * HOUR_MS },
    ]);
    expect(page.next).toBeNull();
  });

  // Rule: FEED-5
  it('puts the newer first where scores tie across tiers, then the greater id', () => {
    const own = aPost(viewer, 0);
    const followed = aPost(friend, 500);
    const oldSubscribed = aPost(paid, 1000);
    const newFollowed = aPost(friend, 0);
    const sameMs = [aPost(stranger, 3), aPost(stranger, 3)] as const;
    expect(feedIds(indexOf(oldSubscribed, followed, ...sameMs, own, newFollowed))).toEqual([
      newFollowed.id,
      oldSubscribed.id,
      own.id,
      followed.id,
      sameMs[1].id,
      sameMs[0].id,
    ]);
  });

  it('keeps posts for related readers alone to those related to the author (FEED-1)', () => {
    const relatedOnly = true;
    const index = indexOf(
      aPost(stranger, 1, { relatedOnly }),
      aPost(friend, 2, { relatedOnly }),
      aPost(paid, 3, { relatedOnly }),
      aPost(viewer, 4, { relatedOnly }),
    );
    expect(feedIds(index)).toHaveLength(3);
    expect(feedIds(index, { ...graph, viewerId: stranger, following: [], subscribed: [] })).toHaveLength(1);
  });

  // Rule: FEED-2
  it('leaves out blocked authors, even followed ones (FEED-2), and never the viewer', () => {
    const own = aPost(viewer, 1);
    const index = indexOf(aPost(friend, 1), aPost(coach, 1), aPost(stranger, 1), own);
    const blocked = [friend, coach, stranger, viewer];
    expect(feedIds(index, { ...graph, following: [coach, friend, viewer], blocked })).toEqual([own.id]);
  });

  // Rule: FEED-6
  it('leaves out posts newer than its clock', () => {
    const now = aPost(friend, 0);
    const index = indexOf(now, { ...aPost(friend, 0), id: uuidV7(NOW + 1, 0, 0) });
    expect(feedIds(index)).toEqual([now.id]);
  });

  it('follows edits of who reads it, deletion and restoring, in tail and segments', () => {
    const posts = [aPost(stranger, 1), aPost(stranger, 2), aPost(stranger, 3)];
    const index = indexOf(...posts);
    for (const post of posts) {
      const rest = posts.filter((other) => other !== post).map(({ id }) => id);
      index.upsert({ ...post, relatedOnly: true });
      expect(feedIds(index)).toEqual(rest);
      index.upsert({ ...post, deleted: true });
      expect(feedIds(index)).toEqual(rest);
      expect(index.size).toBe(2);
      index.upsert(post);
      expect(feedIds(index)).toEqual(posts.map(({ id }) => id));
      expect(index.remove(post.id)).toBe(true);
      expect(index.remove(post.id)).toBe(false);
      expect(feedIds(index)).toEqual(rest);
      index.upsert(post);
      index.upsert(post);
      expect(index.size).toBe(3);
    }
    expect(index.remove(aPost(stranger, 1).id)).toBe(false);
  });

  // Rule: FEED-2
  it('leaves out hidden authors’ posts, older and newer ones, until they are shown again', () => {
    const before = [aPost(stranger, 3), aPost(stranger, 2), aPost(stranger, 1)];
    const kept = aPost(friend, 4);
    const index = indexOf(kept, ...before.slice(0, 2));
    index.setAuthorHidden(stranger, true);
    index.upsert(before[2]!);
    index.upsert({ ...before[0]!, likes: 3 });
    expect(feedIds(index)).toEqual([kept.id]);
    expect(feedIds(index, { ...graph, viewerId: stranger })).toEqual([kept.id]);
    expect(index.totalsOf(stranger)).toEqual({ posts: 3, likes: 3, comments: 0 });
    index.setAuthorHidden(stranger, false);
    expect(feedIds(index)).toEqual([kept.id, ...before.map(({ id }) => id).reverse()]);
  });

  it('passes over blocks of hidden posts without looking at their entries', () => {
    const index = new FeedIndex();
    for (let count = 0; count < 40; count++) index.upsert(aPost(friend, 30_000 + count));
    for (let count = 0; count < 20_000; count++) index.upsert(aPost(stranger, count));
    index.setAuthorHidden(stranger, true);
    const entries = jest.spyOn(ViewerView.prototype, 'scanBack');
    const view = index.compileViewer({ ...graph, following: [], subscribed: [] });
    expect(index.page(view, { asOf: NOW, limit: 20 }).items).toHaveLength(20);
    const scanned = entries.mock.calls.reduce((sum, [, , from, to]) => sum + from - to + 1, 0);
    entries.mockRestore();
    // The tail and the block that has both authors are scanned post by post.
    expect(scanned).toBeLessThan(3_000);
  });

  it('frees the memory of deleted posts', () => {
    const posts = Array.from({ length: 4096 }, (_, i) => aPost(stranger, i));
    const index = new FeedIndex({ tailCapacity: 64 });
    for (const post of posts) index.upsert(post);
    const before = index.memoryBytes();
    for (const post of posts.slice(0, 2048)) index.remove(post.id);
    expect(index.memoryBytes()).toBeLessThan(0.8 * before);
    for (const post of posts) index.upsert({ ...post, deleted: true });
    expect(index.size).toBe(0);
    expect(feedIds(index)).toEqual([]);
  });

  it('ranks the first post of an author who was followed before they posted', () => {
    const index = indexOf(aPost(stranger, 0));
    const view = index.compileViewer(graph);
    const first = aPost(friend, 5);
    index.upsert(first);
    expect(index.page(view, { asOf: NOW, limit: 1 }).items[0]?.id).toBe(first.id);
  });

  it('pages without a skip or a repeat while others post and delete', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const world = new FeedWorld(seed);
      const index = new FeedIndex(world.options);
      const put = (): IndexedPost => {
        const post = world.newPost();
        world.posts.set(post.id, post);
        index.upsert(post);
        return post;
      };
      for (let i = 0; i < 300; i++) put();
      const view = index.compileViewer(world.graph());
      const atFirst = index.page(view, { asOf: world.asOf, limit: 1000 }).items.map(({ id }) => id);
      const stays = new Set(atFirst.filter((_, i) => i % 3 > 0));
      const goes = atFirst.filter((id) => !stays.has(id));
      const seen: string[] = [];
      let after: FeedPosition | undefined;
      do {
        const page = index.page(view, { asOf: world.asOf, after, limit: 7 });
        seen.push(...page.items.map(({ id }) => id));
        after = page.next ?? undefined;
        for (let i = 0; i < 5; i++) put();
        for (const id of goes.splice(0, 4)) index.remove(id);
      } while (after && seen.length < 2000);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => stays.has(id))).toEqual([...stays]);
    }
  });

  it('refuses invalid arguments', () => {
    const post = aPost(friend, 1);
    const index = indexOf(post);
    const view = index.compileViewer(graph);
    expect(() => index.upsert({ ...post, authorId: coach })).toThrow(/changed its author/);
    expect(() => index.upsert({ ...post, id: 'first' })).toThrow(RangeError);
    expect(() => index.page(view, { asOf: NOW, limit: 0 })).toThrow(RangeError);
    expect(() => index.page(view, { asOf: NaN, limit: 1 })).toThrow(RangeError);
    expect(() => indexOf().page(view, { asOf: NOW, limit: 1 })).toThrow(/another index/);
    expect(() => new FeedIndex({ tailCapacity: 0 })).toThrow(RangeError);
    expect(() => new FeedIndex({ maxSegmentPosts: 2 ** 20 })).toThrow(RangeError);
  });
});
