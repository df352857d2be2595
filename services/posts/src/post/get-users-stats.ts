import { Injectable } from '@nestjs/common';
import type { GetUsersStatsRequest, GetUsersStatsResponse, UserStats } from '@pulso/contracts/posts/v1/posts';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { checkUserCount } from '@pulso/platform/validation/read-user-ids';
import { FeedIndex } from '../feed-index/feed-index.js';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';

const NO_POSTS: UserStats = { posts: 0, likes: 0, comments: 0 };

/**
 * The numbers on profiles about users' posts (PEOPLE-2), one entry for every id in the requested order, zero for
 * unknown users. Public. Posts hidden by moderators do not count. The totals are kept with the index, which every change
 * of a post and of its counts reaches; nothing is read from the store.
 */
@Injectable()
export class GetUsersStats {
  constructor(
    private readonly index: FeedIndex,
    private readonly hiddenPosts: KnownHiddenPosts,
  ) {}

  execute({ userIds }: GetUsersStatsRequest): GetUsersStatsResponse {
    checkUserCount('userIds', userIds);
    return { stats: userIds.map((id) => (isId(id) ? this.statsOf(id) : NO_POSTS)) };
  }

  private statsOf(userId: string): UserStats {
    const stats: UserStats = this.index.totalsOf(userId);
    for (const postId of this.hiddenPosts.byAuthors([userId])) {
      const counts = this.index.countsOf(postId);
      if (!counts) continue;
      stats.posts -= 1;
      stats.likes -= counts.likes;
      stats.comments -= counts.comments;
    }
    return stats;
  }
}
