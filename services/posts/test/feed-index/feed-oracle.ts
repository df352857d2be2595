import {
  authorBonus,
  feedScore,
  type AuthorRelation,
  type RankedPost,
} from '../../src/feed-index/feed-ranking.js';
import type { FeedPage, FeedRequest, IndexedPost } from '../../src/feed-index/feed-index.js';

/** A viewer's graph as sets, in the terms of the rules (FEED-1, FEED-3). */
export interface OracleGraph {
  viewerId: string;
  following: ReadonlySet<string>;
  subscribed: ReadonlySet<string>;
  blocked: ReadonlySet<string>;
  /** Suspended and deleted users. */
  hidden?: ReadonlySet<string>;
}

/** The expected result of `FeedIndex.page`, by scoring and sorting every post. For tests: slow and simple. */
export function fullSortFeed(
  posts: Iterable<IndexedPost>,
  graph: OracleGraph,
  request: FeedRequest,
): FeedPage {
  const { asOf, after, limit } = request;
  const ranked: RankedPost[] = [];
  for (const post of posts) {
    const createdAt = parseInt(post.id.slice(0, 8) + post.id.slice(9, 13), 16);
    const relation: AuthorRelation = {
      own: post.authorId === graph.viewerId,
      followed: graph.following.has(post.authorId),
      subscribed: graph.subscribed.has(post.authorId),
    };
    if (post.deleted || createdAt > asOf || graph.blocked.has(post.authorId)) continue;
    if (graph.hidden?.has(post.authorId)) continue;
    if (!belongsInFeed(relation, post.relatedOnly)) continue;
    ranked.push({ id: post.id, score: feedScore(authorBonus(relation), createdAt, asOf) });
  }
  ranked.sort(compareRanked);
  const remaining = after ? ranked.filter((post) => compareRanked(post, after) > 0) : ranked;
  const items = remaining.slice(0, limit);
  return { items, next: remaining.length > limit ? { asOf, ...items[limit - 1]! } : null };
}

/** Whether a post that the viewer may see belongs in their feed (FEED-1). */
export function belongsInFeed(relation: AuthorRelation, relatedOnly: boolean): boolean {
  return !relatedOnly || relation.own || relation.followed || relation.subscribed;
}

/** Feed order: negative when `a` ranks before `b`. Equal scores: newer first, then the greater id, both by the id. */
export function compareRanked(a: RankedPost, b: RankedPost): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}
