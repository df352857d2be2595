import { Injectable } from '@nestjs/common';
import type { GetFeedRequest, Post, PostPage } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Clock } from '@pulso/platform/time/clock';
import { pageSize } from '@pulso/platform/paging/page-size';
import { type KnownUser, KnownUsers } from '../projections/known-users.js';
import { ViewerGraphs } from '../projections/viewer-graphs.js';
import { Viewers } from '../store/viewers.js';
import { type ViewerAccess, accessTo } from '../projections/viewer-access.js';
import type { FeedPage, FeedPosition } from '../feed-index/feed-index.js';
import { authorBonus, feedScore, type RankedPost, RECENCY_SPAN_MS } from '../feed-index/feed-ranking.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import type { PostBody } from '../store/post.js';
import { PostViews } from '../post/post-view.js';
import { PAGE_BYTES } from '../post/page-bytes.js';
import { turns } from '@pulso/platform/paging/turns';
import { FeedCursors } from './feed-cursors.js';
import { LivePosts } from './live-posts.js';

/** The lowest score of a post by a related author; recency alone stays below it. */
const RELATED = feedScore(authorBonus({ own: true, followed: false, subscribed: false }), 0, RECENCY_SPAN_MS);

type Bodies = readonly (PostBody | undefined)[];
type Authors = readonly (KnownUser | undefined)[];

/** The data to show a page's items, by their position. */
interface Hydrated {
  bodies: Bodies;
  authors: Authors;
  liked: ReadonlySet<string>;
  access: ViewerAccess;
}

/** The posts of the answer so far, and their `size`. */
interface Shown {
  readonly posts: Post[];
  size: number;
  readonly limit: number;
}

const isFull = ({ posts, size, limit }: Shown) => posts.length === limit || size > PAGE_BYTES;

/**
 * `GET /api/feed`: the next page of the caller's ranked feed (FEED-1, FEED-3 to FEED-6). The index gives the ranking;
 * whether a post still exists and who may read it is checked against the caller's current graph. Posts that fail this
 * check are replaced by the next ones of the index, in a bounded number of turns: a page may stay short.
 */
@Injectable()
export class GetFeed {
  constructor(
    private readonly livePosts: LivePosts,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
    private readonly users: KnownUsers,
    private readonly hiddenPosts: KnownHiddenPosts,
    private readonly likes: ViewerLikes,
    private readonly views: PostViews,
    private readonly cursors: FeedCursors,
    private readonly clock: Clock,
  ) {}

  async execute({ limit, cursor }: GetFeedRequest): Promise<PostPage> {
    const { userId } = requireCaller();
    const size = pageSize(limit);
    const position = cursor === '' ? undefined : this.cursors.open(userId, cursor);
    // Cached data is used synchronously: one more promise costs a page as much as ranking its posts.
    const reading = this.viewers.read(userId);
    const viewer = reading instanceof Promise ? await reading : reading;
    const loading = this.graphs.feed(viewer);
    const { view, access } = loading instanceof Promise ? await loading : loading;
    const asOf = position?.asOf ?? this.livePosts.now();

    const answer: Shown = { posts: [], size: 0, limit: size };
    let next: FeedPosition | null | undefined = position;
    for (const _turn of turns()) {
      const page: FeedPage = this.livePosts.index.page(view, { asOf, after: next ?? undefined, limit: size });
      const ids = page.items.map(({ id }) => id);
      const reading = this.livePosts.bodiesOf(ids);
      const bodies = reading instanceof Promise ? await reading : reading;
      const finding = this.authorsOf(bodies);
      const authors = finding instanceof Promise ? await finding : finding;
      const asking = this.likes.among(viewer, ids);
      const liked = asking instanceof Promise ? await asking : asking;
      const last = this.show(page.items, { bodies, authors, liked, access }, answer);
      next = last ? { asOf, ...last } : page.next;
      if (!next || isFull(answer)) break;
    }
    return { items: answer.posts, nextCursor: next ? this.cursors.seal(userId, next) : '' };
  }

  /** The authors of `bodies` in their order; a promise only when some must be loaded. */
  private authorsOf(bodies: Bodies): Authors | Promise<Authors> {
    const missing: string[] = [];
    const found = bodies.map((body) => {
      const user = body && this.users.peek(body.authorId);
      if (body && !user) missing.push(body.authorId);
      return user;
    });
    if (missing.length === 0) return found;
    return this.users.get(missing).then((read) => {
      return bodies.map((body, position) => found[position] ?? (body && read.get(body.authorId)));
    });
  }

  /**
   * Adds to `answer`, until it is full, those of the page's items that still exist for the viewer, as the viewer sees them.
   * Returns the last item looked at when there are more behind it.
   */
  private show(items: readonly RankedPost[], page: Hydrated, answer: Shown): RankedPost | undefined {
    const { bodies, authors, liked, access } = page;
    const now = this.clock.now();
    for (const [position, { id, score }] of items.entries()) {
      const body = bodies[position];
      const author = authors[position];
      if (!body || author?.status !== 'active') continue;
      const allowed = accessTo(body, access, now, this.hiddenPosts.isHidden(id));
      // A body may be newer than the post's entry in the index. Locked posts of unrelated authors do not belong in
      // the feed.
      if (allowed === 'hidden' || (allowed === 'locked' && score < RELATED)) continue;
      const viewer = { id: access.viewerId, likes: liked.has(id) };
      answer.posts.push(this.views.shared(body, author.author, allowed, viewer));
      answer.size += body.size;
      if (isFull(answer) && position < items.length - 1) return items[position];
    }
    return undefined;
  }
}
