import { Injectable } from '@nestjs/common';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { CoalescedRuns } from '@pulso/platform/concurrency/coalesced-runs';
import { CommentRepository } from './comment.repository.js';
import type { CommentDocument } from './comment.schema.js';
import { LikeRepository } from './like.repository.js';
import { PostRepository } from './post.repository.js';
import type { PostDocument } from './post.schema.js';

type PostCounts = Partial<
  Pick<PostDocument, 'likeCount' | 'commentCount' | 'importedComments' | 'updatedAt'>
>;

/** This many lost races in a row indicate a defect. */
const MAX_ATTEMPTS = 50;

/**
 * Counts likes and comments from their rows and stores the counts on their targets. A count is taken after the
 * target's version was read, and stored only if that version is still current; it is stored even when it is
 * unchanged. So of two concurrent counts, the one with the older view of the rows always loses. Rows that were
 * written but not counted (after a crash in between) keep their mark, by which `RowCounting` finds them.
 */
@Injectable()
export class CountKeeper {
  private readonly postRuns = new CoalescedRuns<PostDocument | null>();
  private readonly commentRuns = new CoalescedRuns<CommentDocument | null>();

  constructor(
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly likes: LikeRepository,
  ) {}

  /** The post after counting its likes; null when it is deleted. */
  likesOfPost(postId: string): Promise<PostDocument | null> {
    return this.postRuns.run(`likes:${postId}`, () =>
      this.recountPost(postId, async () => ({ likeCount: await this.likes.countByTarget(postId) })),
    );
  }

  /** The post after counting its comments; null when it is deleted. A comment updates its post (POST-21). */
  commentsOfPost(postId: string): Promise<PostDocument | null> {
    return this.postRuns.run(`comments:${postId}`, () =>
      this.recountPost(postId, async (post) => {
        const [commentCount, newest, importedComments] = await Promise.all([
          this.comments.countByPost(postId),
          this.comments.newestOfPost(postId),
          // On others there are none.
          post.importedAt && this.comments.countImported(post),
        ]);
        const updatedAt = newest && newest > post.updatedAt ? newest : post.updatedAt;
        return { commentCount, updatedAt, ...(importedComments !== undefined && { importedComments }) };
      }),
    );
  }

  /** The comment after counting its likes; null when it is deleted. */
  likesOfComment(commentId: string): Promise<CommentDocument | null> {
    return this.commentRuns.run(commentId, () => this.recountComment(commentId));
  }

  private async recountPost(
    postId: string,
    count: (post: PostDocument) => Promise<PostCounts>,
  ): Promise<PostDocument | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const post = await this.posts.find(postId);
      if (!post) return null;
      const counted = await this.posts.rows.changeUnpublished(post, await count(post));
      if (counted) return counted;
    }
    throw unavailable();
  }

  private async recountComment(commentId: string): Promise<CommentDocument | null> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const comment = await this.comments.find(commentId);
      if (!comment) return null;
      const likeCount = await this.likes.countByTarget(commentId);
      const counted = await this.comments.rows.changeUnpublished(comment, { likeCount });
      if (counted) return counted;
    }
    throw unavailable();
  }
}
