import { Injectable } from '@nestjs/common';
import type { CountNewerPostsRequest, CountNewerPostsResponse } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Clock } from '@pulso/platform/time/clock';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import { KnownUsers } from '../projections/known-users.js';
import { accessTo } from '../projections/viewer-access.js';
import { ViewerGraphs } from '../projections/viewer-graphs.js';
import { Viewers } from '../store/viewers.js';
import { FeedCursors } from './feed-cursors.js';
import { LivePosts } from './live-posts.js';

/** Counting further would tell the reader nothing new (FEED-9). */
const MAX_COUNTED = 20;
/** Some posts of the index may have gone, or be hidden from the viewer, since it heard of them. */
const MAX_READ = 3 * MAX_COUNTED;

/** `GET /api/feed/newer`: how many posts of the caller's feed are newer than the clock of a cursor, at most 20 (FEED-9). */
@Injectable()
export class CountNewerPosts {
  constructor(
    private readonly livePosts: LivePosts,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
    private readonly users: KnownUsers,
    private readonly hiddenPosts: KnownHiddenPosts,
    private readonly cursors: FeedCursors,
    private readonly clock: Clock,
  ) {}

  async execute({ cursor }: CountNewerPostsRequest): Promise<CountNewerPostsResponse> {
    const { userId } = requireCaller();
    const { asOf } = this.cursors.open(userId, cursor);
    const { view, access } = await this.graphs.feed(await this.viewers.read(userId));
    const ids = this.livePosts.index.newerIds(view, asOf, MAX_READ);
    if (ids.length === 0) return { count: 0 };
    const posts = (await this.livePosts.cachedPosts(ids)).flatMap((cached) => (cached ? [cached.post] : []));
    const authors = await this.users.get(posts.map(({ authorId }) => authorId));
    const now = this.clock.now();
    const shown = posts.filter(
      (post) =>
        authors.get(post.authorId)?.status === 'active' &&
        accessTo(post, access, now, this.hiddenPosts.isHidden(post._id)) !== 'hidden',
    );
    return { count: Math.min(shown.length, MAX_COUNTED) };
  }
}
