import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '@pulso/platform/logging/logger';
import { CommentRepository } from '../comment/comment.repository.js';
import { RowCounting } from '../counts/row-counting.js';
import { LikeRepository } from '../like/like.repository.js';
import type { LikeDocument } from '../like/like.schema.js';
import { PostRepository } from '../post/post.repository.js';

const BATCH = 100;
const POLL_MS = 5_000;

/**
 * Marks the comments and likes of deleted posts, and the likes of deleted comments, as deleted too (decisions 5). What
 * is to be done stands in the store (`erasing`), every step may be repeated, so a kill loses nothing. A deletion of this
 * process is seen to at once. A row written while its post is being deleted is taken back by its own writer, who looks
 * at the post again after writing.
 */
@Injectable()
export class EraseTraces implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly likes: LikeRepository,
    private readonly rowCounting: RowCounting,
    private readonly logger: Logger,
  ) {
    const nudgeFor = ({ erasing }: { erasing?: boolean }) => {
      if (erasing) this.nudge();
    };
    posts.rows.onCommit(nudgeFor);
    comments.rows.onCommit(nudgeFor);
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  start(): void {
    this.timer = setInterval(() => this.nudge(), POLL_MS);
    this.nudge();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
  }

  /** Says that something was deleted. */
  nudge(): void {
    this.again = true;
    if (!this.timer || this.running) return;
    this.running = this.runLogged().finally(() => {
      this.running = undefined;
    });
  }

  /** Goes on until nothing is left to mark, or until stopped: what is not done stays `erasing`. */
  private async run(): Promise<void> {
    for (;;) {
      const posts = await this.posts.listErasing(BATCH);
      for (const post of posts) {
        await this.eraseComments(post._id);
        await this.eraseLikes(() => this.likes.listActiveByPost(post._id, BATCH));
        if (!this.timer) return;
        await this.posts.erased(post._id);
      }
      const comments = await this.comments.listErasing(BATCH);
      for (const comment of comments) {
        await this.eraseLikes(() => this.likes.listActiveByTarget(comment._id, BATCH));
        if (!this.timer) return;
        await this.comments.erased(comment._id);
      }
      if (posts.length + comments.length === 0) return;
    }
  }

  private async runLogged(): Promise<void> {
    try {
      while (this.again && this.timer) {
        this.again = false;
        await this.run();
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'marking what belonged to deleted posts failed, will be retried');
    }
  }

  /** The comments' own likes are marked with the post's. A row that another one changes is found again. */
  private async eraseComments(postId: string): Promise<void> {
    while (this.timer) {
      const found = await this.comments.listByPost(postId, undefined, BATCH);
      if (found.length === 0) return;
      await Promise.all(found.map((comment) => this.noteMarked(this.comments.markDeleted(comment, false))));
    }
  }

  private async eraseLikes(listActive: () => Promise<LikeDocument[]>): Promise<void> {
    while (this.timer) {
      const found = await listActive();
      if (found.length === 0) return;
      await Promise.all(found.map((like) => this.noteMarked(this.likes.markDeleted(like))));
    }
  }

  /** Nothing is left that its count would stand on. */
  private async noteMarked(marking: Promise<{ _id: string; version: number } | null>): Promise<void> {
    const row = await marking;
    if (row) this.rowCounting.noteCounted(row);
  }
}
