import { Injectable } from '@nestjs/common';
import { commentTopic, likeTopic, postTopic } from '@pulso/contracts/topics/posts';
import type { ReadModel } from '@pulso/platform/events/projection';
import { CommentRepository } from '../store/comment.repository.js';
import { PostRepository } from '../store/post.repository.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { LivePosts } from './live-posts.js';

/** This process's read model of posts: another replica may have made the caller's own write a moment ago. */
@Injectable()
export class PostReads implements ReadModel<unknown> {
  readonly topic = postTopic;

  constructor(
    private readonly posts: PostRepository,
    private readonly livePosts: LivePosts,
  ) {}

  async versionOf(key: string): Promise<number | undefined> {
    const post = await this.posts.findEvenDeleted(key);
    if (post) this.livePosts.apply(post);
    return post?.version;
  }
}

/** Likes are read from the store; the posts with their counts and the viewers' likes are in memory. */
@Injectable()
export class LikeReads implements ReadModel<unknown> {
  readonly topic = likeTopic;

  constructor(
    private readonly reads: PostReads,
    private readonly viewerLikes: ViewerLikes,
  ) {}

  async versionOf(key: string): Promise<number> {
    const [targetId, userId] = likeTopic.partsOf(key);
    // Of a comment there is no post with this id, and its count is not in memory.
    await this.reads.versionOf(targetId);
    this.viewerLikes.forget(userId);
    return Infinity;
  }
}

/** Comments are read from the store; the posts with their counts are in memory. */
@Injectable()
export class CommentReads implements ReadModel<unknown> {
  readonly topic = commentTopic;

  constructor(
    private readonly comments: CommentRepository,
    private readonly reads: PostReads,
  ) {}

  async versionOf(key: string): Promise<number> {
    const postId = await this.comments.postOf(key);
    if (postId) await this.reads.versionOf(postId);
    return Infinity;
  }
}
