import { fullSortFeed, type OracleGraph } from '../../test/feed-index/feed-oracle.js';
import { FeedWorld } from '../../test/feed-index/feed-world.js';
import { FeedIndex, type FeedPosition, type IndexedPost } from './feed-index.js';

/** `FEED_WORLDS=10000` for the full proof; `FEED_SEED` sets another seed. */
const WORLDS = Number(process.env.FEED_WORLDS ?? 60);
const FIRST_SEED = Number(process.env.FEED_SEED ?? 1);

/** Applies each change to the index and to a plain map of posts. */
class Rehearsal {
  readonly index: FeedIndex;
  /** Authors who are suspended. */
  readonly hidden = new Set<string>();

  constructor(readonly world: FeedWorld) {
    this.index = new FeedIndex(world.options);
  }

  add(count: number): void {
    const fresh = Array.from({ length: count }, () => this.world.newPost());
    const distinct = [...new Map(fresh.map((post) => [post.id, post])).values()];
    if (this.world.dice.chance(0.5)) distinct.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const post of distinct) this.put(post);
  }

  /** Suspends or reinstates an author, or edits, deletes, restores, repeats, likes or adds a post. */
  change(): void {
    const { dice, posts } = this.world;
    if (dice.chance(0.15)) return this.hideOrShow(dice.pick(this.world.authors));
    const known = [...posts.values()];
    if (known.length === 0 || dice.chance(0.4)) return this.add(1);
    const post = dice.pick(known);
    if (dice.chance(0.3)) return this.remove(post);
    const counts = { likes: dice.below(dice.pick([3, 2 ** 21])), comments: dice.below(dice.pick([3, 5000])) };
    this.put({ ...post, ...counts, relatedOnly: this.world.relatedOnly(), deleted: dice.chance(0.3) });
  }

  /** What `totalsOf` must return for an author. */
  countedTotals(authorId: string) {
    const own = [...this.world.posts.values()].filter((post) => post.authorId === authorId && !post.deleted);
    const sum = (of: (post: IndexedPost) => number) => own.reduce((total, post) => total + of(post), 0);
    return {
      posts: own.length,
      likes: sum(({ likes }) => likes ?? 0),
      comments: sum((post) => post.comments ?? 0),
    };
  }

  private hideOrShow(authorId: string): void {
    const hidden = this.world.dice.chance(0.5);
    this.index.setAuthorHidden(authorId, hidden);
    if (hidden) this.hidden.add(authorId);
    else this.hidden.delete(authorId);
  }

  private put(post: IndexedPost): void {
    this.world.posts.set(post.id, post);
    this.index.upsert(post);
  }

  private remove(post: IndexedPost): void {
    expect(this.index.remove(post.id)).toBe(!post.deleted);
    this.world.posts.set(post.id, { ...post, deleted: true });
  }
}

const PAGES_A_VIEWER = 40;

/** Reads feeds of two viewers while posts change; returns how many pages were compared. */
function compareWorld(seed: number): number {
  const world = new FeedWorld(seed);
  const rehearsal = new Rehearsal(world);
  const { dice } = world;
  rehearsal.add(dice.below(dice.pick([5, 60, 400, 1500])));
  for (let changes = dice.below(dice.pick([1, 60])); changes > 0; changes--) rehearsal.change();
  let compared = 0;
  for (let viewers = 0; viewers < 2; viewers++) {
    const graph = { ...world.graph(), hidden: rehearsal.hidden };
    const view = rehearsal.index.compileViewer(graph);
    const restless = dice.chance(0.5);
    let after: FeedPosition | undefined;
    for (let page = 0; page === 0 || (after && page < PAGES_A_VIEWER); page++) {
      const request = { asOf: world.asOf, after, limit: 1 + dice.below(dice.pick([1, 20, 100])) };
      const answer = rehearsal.index.page(view, request);
      expect({ seed, ...answer }).toEqual({ seed, ...fullSortFeed(world.posts.values(), graph, request) });
      after = answer.next ?? undefined;
      compared++;
      compareNewer(rehearsal, graph, seed);
      if (restless) for (let changes = dice.below(8); changes > 0; changes--) rehearsal.change();
    }
  }
  expect(rehearsal.index.size).toBe([...world.posts.values()].filter((post) => !post.deleted).length);
  for (const authorId of world.authors) {
    expect({ seed, ...rehearsal.index.totalsOf(authorId) }).toEqual({
      seed,
      ...rehearsal.countedTotals(authorId),
    });
  }
  return compared;
}

/** The posts newer than a random moment, against those that a full sort has now and had not then. */
function compareNewer({ index, world }: Rehearsal, graph: OracleGraph, seed: number): void {
  const since = world.asOf - world.dice.below(world.dice.pick([10, 3_600_000, 40 * 86_400_000]));
  const all = (asOf: number) =>
    fullSortFeed(world.posts.values(), graph, { asOf, limit: Infinity }).items.map(({ id }) => id);
  const before = new Set(all(since));
  const newer = all(Infinity).filter((id) => !before.has(id));
  const view = index.compileViewer(graph);
  expect({ seed, newer: index.newerIds(view, since, Infinity).sort() }).toEqual({
    seed,
    newer: newer.sort(),
  });
  expect(index.newerIds(view, since, 3)).toHaveLength(Math.min(3, newer.length));
}

// Rule: FEED-2, FEED-9, FEED-10
describe('feed index against a full sort', () => {
  it(
    `returns the same pages and totals in ${WORLDS} random worlds`,
    () => {
      let pages = 0;
      for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed++) pages += compareWorld(seed);
      expect(pages).toBeGreaterThan(2 * WORLDS);
    },
    120_000 + 200 * WORLDS,
  );
});
