import type { Author, GetFeedRequest, Post, PostPage } from '@pulso/contracts/posts/v1/posts';
import type { CursorSealer, JsonValue } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { Clock } from '@pulso/platform/time/clock';
import { pageSize } from '@pulso/platform/paging/page-size';
import type { FeedPage, FeedPosition } from '../feed-index/feed-index.js';
import { authorBonus, feedScore, RECENCY_SPAN_MS } from '../feed-index/feed-ranking.js';
import type { ViewerLikes } from '../like/viewer-likes.js';
import type { PostBody } from '../post/post.js';
import { viewPost } from '../post/post-view.js';
import { type ViewerAccess, accessTo } from '../post/visibility.js';
import type { Users } from '../projection/users.js';
import type { ViewerGraphs } from '../projection/viewer-graphs.js';
import type { Viewers } from '../projection/viewers.js';
import type { LivePosts } from './live-posts.js';

const LIST = 'feed';
/** The lowest score that an author's relation to the viewer gives; recency alone stays below. */
const RELATED = feedScore(authorBonus({ own: true, followed: false, subscribed: false }), 0, RECENCY_SPAN_MS);

interface Card {
  body: PostBody;
  author: Author;
  access: 'open' | 'locked';
}

/**
 * `GET /api/feed`: the next page of the caller's ranked feed (product.md section 9, decisions 1 and 2). The ranking comes
 * from the index; whether a post is still there and who may read it is checked against the caller's graph of this
 * moment. What falls out is filled up from the index.
 */
export class GetFeed {
  constructor(
    private readonly livePosts: LivePosts,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
    private readonly users: Users,
    private readonly likes: ViewerLikes,
    private readonly sealer: CursorSealer,
    private readonly clock: Clock,
  ) {}

  async execute({ limit, cursor }: GetFeedRequest): Promise<PostPage> {
    const { userId } = requireCaller();
    const size = pageSize(limit);
    const position = cursor === '' ? undefined : readPosition(this.sealer.open(LIST, userId, cursor));
    const viewer = await this.viewers.read(userId);
    const { view, access } = await this.graphs.feed(viewer);
    const asOf = position?.asOf ?? this.livePosts.now();

    const cards: Card[] = [];
    let next: FeedPosition | null | undefined = position;
    do {
      const page: FeedPage = this.livePosts.index.page(view, {
        asOf,
        after: next ?? undefined,
        limit: size - cards.length,
      });
      cards.push(...(await this.hydrate(page, access)));
      next = page.next;
    } while (next && cards.length < size);

    const liked = await this.likes.among(
      viewer,
      cards.map(({ body }) => body.id),
    );
    return {
      items: cards.map(({ body, author, access }): Post => {
        return viewPost(body, author, access, { id: userId, likes: liked.has(body.id) });
      }),
      nextCursor: next ? this.sealer.seal(LIST, userId, [next.asOf, next.score, next.id]) : '',
    };
  }

  /** The page's items that are still there for the viewer. */
  private async hydrate({ items }: FeedPage, access: ViewerAccess): Promise<Card[]> {
    const now = this.clock.now();
    const bodies = await this.livePosts.bodiesOf(items.map(({ id }) => id));
    const authors = await this.users.get(bodies.flatMap((body) => body?.authorId ?? []));
    const cards: Card[] = [];
    for (const [position, body] of bodies.entries()) {
      const author = body && authors.get(body.authorId);
      if (!body || !author || author.status === 'deleted') continue;
      const allowed = accessTo(body, access, now);
      // A body may be newer than its place in the index: locked cards of strangers do not belong into the feed.
      const strange = allowed === 'locked' && items[position]!.score < RELATED;
      if (allowed !== 'hidden' && !strange) cards.push({ body, author: author.author, access: allowed });
    }
    return cards;
  }
}

/** What `execute` sealed; a cursor that opens is one of ours. */
function readPosition(value: JsonValue): FeedPosition {
  const [asOf, score, id] = value as [number, number, string];
  return { asOf, score, id };
}
