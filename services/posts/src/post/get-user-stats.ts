import type { GetUserStatsRequest, UserStats } from '@pulso/contracts/posts/v1/posts';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { PostRepository } from './post.repository.js';

/** What a profile says of a user's posts (http-api.md, Profile): public knowledge; nothing for unknown users. */
export class GetUserStats {
  constructor(private readonly posts: PostRepository) {}

  async execute({ userId }: GetUserStatsRequest): Promise<UserStats> {
    if (!isId(userId)) return { posts: 0, likes: 0, comments: 0 };
    const { posts, likes, comments } = await this.posts.totalsOf(userId);
    return { posts, likes, comments };
  }
}
