import type { Author, GetFeedRequest, Post, PostPage } from '@pulso/contracts/posts/v1/posts';
import type { CursorSealer, JsonValue } from '@pulso/platform/auth/sealed-cursor';
import { requireCaller } from '@pulso/platform/context/request-context';
import type { Clock } from '@pulso/platform/time/clock';
import { pageSize } from '@pulso/platform/paging/page-size';
import type { FeedPage, FeedPosition } from '../feed-index/feed-index.js';
import { authorBonus, feedScore, type RankedPost, RECENCY_SPAN_MS } from '../feed-index/feed-ranking.js';
import type { ViewerLikes } from '../like/viewer-likes.js';
import type { PostBody } from '../post/post.js';
import { viewSharedPost } from '../post/post-view.js';
import { type ViewerAccess, accessTo } from '../post/visibility.js';
import type { HiddenPosts } from '../projection/hidden-posts.js';
import type { KnownUser, Users } from '../projection/users.js';
import type { ViewerGraphs } from '../projection/viewer-graphs.js';
import type { Viewers } from '../projection/viewers.js';
import type { LivePosts } from './live-posts.js';

const LIST = 'feed';
/** The lowest score that an author's relation to the viewer gives; recency alone stays below. */
const RELATED = feedScore(authorBonus({ own: true, followed: false, subscribed: false }), 0, RECENCY_SPAN_MS);

type Items = readonly RankedPost[];
type Bodies = readonly (PostBody | undefined)[];

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
    private readonly hiddenPosts: HiddenPosts,
    private readonly likes: ViewerLikes,
    private readonly sealer: CursorSealer,
    private readonly clock: Clock,
  ) {}

  async execute({ limit, cursor }: GetFeedRequest): Promise<PostPage> {
    const { userId } = requireCaller();
    const size = pageSize(limit);
    const position = cursor === '' ? undefined : readPosition(this.sealer.open(LIST, userId, cursor));
    // What is remembered comes at once: a promise more costs a page as much as ranking its posts.
    const reading = this.viewers.read(userId);
    const viewer = reading instanceof Promise ? await reading : reading;
    const loading = this.graphs.feed(viewer);
    const { view, access } = loading instanceof Promise ? await loading : loading;
    const asOf = position?.asOf ?? this.livePosts.now();

    const cards: Card[] = [];
    let next: FeedPosition | null | undefined = position;
    do {
      const page: FeedPage = this.livePosts.index.page(view, {
        asOf,
        after: next ?? undefined,
        limit: size - cards.length,
      });
      const hydrating = this.hydrate(page, access);
      cards.push(...(hydrating instanceof Promise ? await hydrating : hydrating));
      next = page.next;
    } while (next && cards.length < size);

    const asking = this.likes.among(
      viewer,
      cards.map(({ body }) => body.id),
    );
    const liked = asking instanceof Promise ? await asking : asking;
    return {
      items: cards.map(({ body, author, access }): Post => {
        return viewSharedPost(body, author, access, { id: userId, likes: liked.has(body.id) });
      }),
      nextCursor: next ? this.sealer.seal(LIST, userId, [next.asOf, next.score, next.id]) : '',
    };
  }

  /** The page's items that are still there for the viewer. */
  private hydrate({ items }: FeedPage, access: ViewerAccess): Card[] | Promise<Card[]> {
    const bodies = this.livePosts.bodiesOf(items.map(({ id }) => id));
    if (bodies instanceof Promise) return bodies.then((loaded) => this.withAuthors(items, loaded, access));
    return this.withAuthors(items, bodies, access);
  }

  private withAuthors(items: Items, bodies: Bodies, access: ViewerAccess): Card[] | Promise<Card[]> {
    const missing: string[] = [];
    const cards = this.cards(items, bodies, access, (id) => {
      const author = this.users.peek(id);
      if (!author) missing.push(id);
      return author;
    });
    if (missing.length === 0) return cards;
    return this.users.get(missing).then((found) => {
      return this.cards(items, bodies, access, (id) => found.get(id) ?? this.users.peek(id));
    });
  }

  private cards(
    items: Items,
    bodies: Bodies,
    access: ViewerAccess,
    authorOf: (id: string) => KnownUser | undefined,
  ): Card[] {
    const now = this.clock.now();
    const cards: Card[] = [];
    for (let position = 0; position < bodies.length; position += 1) {
      const body = bodies[position];
      const author = body && authorOf(body.authorId);
      if (!body || author?.status !== 'active') continue;
      const allowed = accessTo(body, access, now, this.hiddenPosts.isHidden(body.id));
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
