import { Injectable } from '@nestjs/common';
import type { GetFeedRequest, Post, PostPage } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Clock } from '@pulso/platform/time/clock';
import { pageSize } from '@pulso/platform/paging/page-size';
import { turns } from '@pulso/platform/paging/turns';
import type { FeedPosition } from '../feed-index/feed-index.js';
import { authorBonus, feedScore, type RankedPost, RECENCY_SPAN_MS } from '../feed-index/feed-ranking.js';
import { type CachedPost, PAGE_BYTES } from '../post/cached-post.js';
import { PostViews } from '../post/post-view.js';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import { type KnownUser, KnownUsers } from '../projections/known-users.js';
import { type ViewerAccess, accessTo } from '../projections/viewer-access.js';
import { type FeedGraph, ViewerGraphs } from '../projections/viewer-graphs.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { type Viewer, Viewers } from '../store/viewers.js';
import { FeedCursors } from './feed-cursors.js';
import { LivePosts } from './live-posts.js';

/** The lowest score of a post by a related author; recency alone stays below it. */
const MIN_RELATED_SCORE = feedScore(
  authorBonus({ own: true, followed: false, subscribed: false }),
  0,
  RECENCY_SPAN_MS,
);

/** What is cached is there at once; the rest must be loaded. */
type Ready<T> = T | Promise<T>;

type Posts = readonly (CachedPost | undefined)[];
type Authors = readonly (KnownUser | undefined)[];

/** The caller with their compiled feed. */
interface FeedReader extends Pick<FeedGraph, 'view' | 'access'> {
  viewer: Viewer;
}

/** The data to show a page's items, by their position. */
interface Hydrated {
  posts: Posts;
  authors: Authors;
  liked: ReadonlySet<string>;
}

/** The posts of the answer so far, and their `size`. */
interface Shown {
  readonly posts: Post[];
  size: number;
  readonly limit: number;
}

const isFull = ({ posts, size, limit }: Shown) => posts.length === limit || size > PAGE_BYTES;

/** Goes on at once with what is cached: one more promise costs a page as much as ranking its posts. */
function whenReady<T, R>(value: Ready<T>, next: (value: T) => Ready<R>): Ready<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

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
    const reading = this.readerOf(userId);
    const reader = reading instanceof Promise ? await reading : reading;
    const asOf = position?.asOf ?? this.livePosts.now();

    const answer: Shown = { posts: [], size: 0, limit: size };
    let next: FeedPosition | null | undefined = position;
    for (const _turn of turns()) {
      const page = this.livePosts.index.page(reader.view, { asOf, after: next ?? undefined, limit: size });
      const hydrating = this.hydrate(page.items, reader.viewer);
      const hydrated = hydrating instanceof Promise ? await hydrating : hydrating;
      const last = this.show(page.items, hydrated, reader.access, answer);
      next = last ? { asOf, ...last } : page.next;
      if (!next || isFull(answer)) break;
    }
    return { items: answer.posts, nextCursor: next ? this.cursors.seal(userId, next) : '' };
  }

  private readerOf(userId: string): Ready<FeedReader> {
    return whenReady(this.viewers.read(userId), (viewer) =>
      whenReady(this.graphs.feed(viewer), ({ view, access }): FeedReader => ({ viewer, view, access })),
    );
  }

  private hydrate(items: readonly RankedPost[], viewer: Viewer): Ready<Hydrated> {
    const ids = items.map(({ id }) => id);
    return whenReady(this.livePosts.cachedPosts(ids), (posts) =>
      whenReady(this.authorsOf(posts), (authors) =>
        whenReady(this.likes.among(viewer, ids), (liked): Hydrated => ({ posts, authors, liked })),
      ),
    );
  }

  /** The authors of `posts` in their order. */
  private authorsOf(posts: Posts): Ready<Authors> {
    const missing: string[] = [];
    const found = posts.map((cached) => {
      const user = cached && this.users.peek(cached.post.authorId);
      if (cached && !user) missing.push(cached.post.authorId);
      return user;
    });
    if (missing.length === 0) return found;
    return this.users.get(missing).then((read) => {
      return posts.map((cached, position) => found[position] ?? (cached && read.get(cached.post.authorId)));
    });
  }

  /**
   * Adds to `answer`, until it is full, those of the page's items that still exist for the viewer, as the viewer sees them.
   * Returns the last item looked at when there are more behind it.
   */
  private show(
    items: readonly RankedPost[],
    { posts, authors, liked }: Hydrated,
    access: ViewerAccess,
    answer: Shown,
  ): RankedPost | undefined {
    const now = this.clock.now();
    for (const [position, { id, score }] of items.entries()) {
      const cached = posts[position];
      const author = authors[position];
      if (!cached || author?.status !== 'active') continue;
      const allowed = accessTo(cached.post, access, now, this.hiddenPosts.isHidden(id));
      // A cached post may be newer than its entry in the index. Locked posts of unrelated authors do not belong in the feed.
      if (allowed === 'hidden' || (allowed === 'locked' && score < MIN_RELATED_SCORE)) continue;
      const viewer = { id: access.viewerId, likes: liked.has(id) };
      answer.posts.push(this.views.shared(cached, author.author, allowed, viewer));
      answer.size += cached.size;
      if (isFull(answer) && position < items.length - 1) return items[position];
    }
    return undefined;
  }
}
