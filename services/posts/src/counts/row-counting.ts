import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Viewers } from '../access/viewers.js';
import { CommentRepository } from '../comment/comment.repository.js';
import type { CommentDocument } from '../comment/comment.schema.js';
import { LikeRepository } from '../like/like.repository.js';
import type { LikeDocument } from '../like/like.schema.js';
import { PostRepository } from '../post/post.repository.js';
import { CountKeeper } from './count-keeper.js';

type Row = Pick<LikeDocument | CommentDocument, '_id' | 'version'>;

const REMEMBERED = 10_000;

/**
 * Makes sure that every changed like and comment is counted, although the change and the count are two writes. A row
 * stays dirty until the outbox has published it; before clearing it, the outbox counts the rows that their own writer
 * has not counted. At the start, dirty rows are counted before anything is served, so that a crash leaves no visible
 * wrong count.
 */
@Injectable()
export class RowCounting implements OnModuleInit {
  /** Rows whose change this process has counted: row id → version. */
  private readonly counted = new LRUCache<string, number>({ max: REMEMBERED });
  /** Rows whose own writer is counting them; `done` tells whether it finished. */
  private readonly underWay = new Map<string, { version: number; done: Promise<boolean> }>();

  constructor(
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly likes: LikeRepository,
    private readonly counts: CountKeeper,
    private readonly viewers: Viewers,
  ) {
    likes.rows.beforeForgotten((rows) => this.countLikes(rows));
    comments.rows.beforeForgotten((rows) => this.countComments(rows));
  }

  /** Counts every row that is still dirty: there may have been a crash between its change and its count. */
  async onModuleInit(): Promise<void> {
    for await (const likes of this.likes.rows.unpublished()) await this.countLikes(likes);
    for await (const comments of this.comments.rows.unpublished()) await this.countComments(comments);
  }

  /**
   * Counts a like that the caller has just changed and returns its target, null when that is deleted. Call it right
   * after the change: the outbox then waits for this count instead of counting again.
   */
  countLike(like: LikeDocument): Promise<{ likeCount: number } | null> {
    return this.own(like, async () => {
      const [target] = await Promise.all([this.targetOf(like), this.viewers.likesChanged(like.userId)]);
      return target;
    });
  }

  /** The same for a comment; returns its post, null when that is deleted. */
  countComment(comment: CommentDocument): Promise<{ commentCount: number } | null> {
    return this.own(comment, () => this.counts.commentsOfPost(comment.postId));
  }

  /** Records that a row needs no count, because its target is gone. */
  noteCounted({ _id, version }: Row): void {
    this.counted.set(_id, version);
  }

  private async own<T>(row: Row, count: () => Promise<T | null>): Promise<T | null> {
    const counting = count().then((target) => {
      // A row without a target is left to the outbox, in case its writer crashes before it takes the row back.
      if (target) this.noteCounted(row);
      return target;
    });
    const { version } = row;
    const entry = {
      version,
      done: counting.then(
        (target) => target !== null,
        () => false,
      ),
    };
    this.underWay.set(row._id, entry);
    try {
      return await counting;
    } finally {
      if (this.underWay.get(row._id) === entry) this.underWay.delete(row._id);
    }
  }

  /** An active row whose target is deleted was written after the sweep, so the sweep has to run again. */
  private async countLikes(rows: readonly LikeDocument[]): Promise<void> {
    const uncounted = await this.uncounted(rows);
    for (const like of oneOfEach(
      uncounted,
      (like) => like.targetId,
      ({ active }) => active,
    )) {
      if ((await this.targetOf(like)) || !like.active) continue;
      await (like.onComment ? this.comments : this.posts).eraseAgain(like.targetId);
    }
    for (const userId of new Set(uncounted.map((like) => like.userId))) {
      await this.viewers.likesChanged(userId);
    }
  }

  private async countComments(rows: readonly CommentDocument[]): Promise<void> {
    const uncounted = await this.uncounted(rows);
    for (const { postId, live } of oneOfEach(
      uncounted,
      (comment) => comment.postId,
      (comment) => comment.live,
    )) {
      if (!(await this.counts.commentsOfPost(postId)) && live) await this.posts.eraseAgain(postId);
    }
  }

  private async uncounted<R extends Row>(rows: readonly R[]): Promise<R[]> {
    const left: R[] = [];
    for (const row of rows) if (!(await this.isCounted(row))) left.push(row);
    return left;
  }

  private async isCounted({ _id, version }: Row): Promise<boolean> {
    if ((this.counted.get(_id) ?? 0) >= version) return true;
    const own = this.underWay.get(_id);
    return own !== undefined && own.version >= version && (await own.done);
  }

  private targetOf({ onComment, targetId }: LikeDocument): Promise<{ likeCount: number } | null> {
    return onComment ? this.counts.likesOfComment(targetId) : this.counts.likesOfPost(targetId);
  }
}

/** One row of each target, preferably one that counts. */
function oneOfEach<R>(
  rows: readonly R[],
  targetOf: (row: R) => string,
  isLive: (row: R) => boolean,
): Iterable<R> {
  const liveLast = rows.toSorted((a, b) => Number(isLive(a)) - Number(isLive(b)));
  return new Map(liveLast.map((row) => [targetOf(row), row])).values();
}
