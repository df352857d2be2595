import { Injectable } from '@nestjs/common';
import type { UserStats } from '@pulso/contracts/posts/v1/posts';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { KnownHiddenPosts } from './known-hidden-posts.js';
import { PostRepository } from './post.repository.js';

const MOST_USERS = 100;
const NOTHING: UserStats = { posts: 0, likes: 0, comments: 0 };

/**
 * The numbers on profiles about users' posts (PEOPLE-2), one entry for every id in the requested order, zero for
 * unknown users. Public. Posts hidden by moderators do not count.
 */
@Injectable()
export class GetUsersStats {
  constructor(
    private readonly posts: PostRepository,
    private readonly hiddenPosts: KnownHiddenPosts,
  ) {}

  async execute(userIds: readonly string[]): Promise<UserStats[]> {
    if (userIds.length > MOST_USERS) {
      const message = `Must have at most ${MOST_USERS} entries`;
      throw validationFailed([{ path: 'userIds', code: 'too-many', message }]);
    }
    const known = [...new Set(userIds.filter(isId))];
    const totals = await this.posts.totalsOf(known, this.hiddenPosts.byAuthors(known));
    return userIds.map((id) => totals.get(id) ?? NOTHING);
  }
}
