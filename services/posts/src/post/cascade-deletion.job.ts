import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Registry } from 'prom-client';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CommentRepository } from '../store/comment.repository.js';
import type { CommentDocument } from '../store/comment.schema.js';
import { LikeRepository } from '../store/like.repository.js';
import type { LikeDocument } from '../store/like.schema.js';
import { PostRepository } from '../store/post.repository.js';
import { RowCounting } from '../store/row-counting.js';

const ROWS_AT_ONCE = 100;
/** For what another replica has left that died: this process knows of its own deletions. */
const POLL_MS = 30_000;
const BACKOFF = { firstMs: 1_000, longestMs: POLL_MS };
/** A post's million likes take some minutes. What a given-up pass has marked stays marked. */
const PASS_LIMIT_MS = 15 * 60_000;

/**
 * Marks the comments and likes of deleted posts, and the likes of deleted comments, as deleted too (POST-9). The work
 * to do is in the store (`erasing`) and every step can be repeated, so a kill loses nothing. Deletions by this
 * process are processed at once. A row written while its post is being deleted is taken back by its own writer, which
 * checks the post again after writing.
 */
@Injectable()
export class CascadeDeletion implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly likes: LikeRepository,
    private readonly rowCounting: RowCounting,
    logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'marking of comments and likes of deleted posts',
      everyMs: POLL_MS,
      work: (stopping) => this.run(stopping),
      backoff: BACKOFF,
      logger,
      limitMs: PASS_LIMIT_MS,
      registry,
    });
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
    this.loop.start();
    this.loop.nudge();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Starts the sweep after a deletion. */
  nudge(): void {
    this.loop.nudge();
  }

  /** Runs until nothing is left to mark, or until stopped: unfinished work stays `erasing`. */
  private async run(stopping: AbortSignal): Promise<void> {
    for (;;) {
      const posts = await this.posts.listErasing(ROWS_AT_ONCE);
      for (const post of posts) {
        await this.eraseComments(post._id, stopping);
        await this.eraseLikes(() => this.likes.listActiveByPost(post._id, ROWS_AT_ONCE), stopping);
        if (stopping.aborted) return;
        await this.posts.erased(post._id);
      }
      const comments = await this.comments.listErasing(ROWS_AT_ONCE);
      for (const comment of comments) {
        await this.eraseLikes(() => this.likes.listActiveByTarget(comment._id, ROWS_AT_ONCE), stopping);
        if (stopping.aborted) return;
        await this.comments.erased(comment._id);
      }
      if (posts.length + comments.length === 0) return;
    }
  }

  /** Marks the comments' own likes with the likes of the post. A row that changes concurrently is found again. */
  private async eraseComments(postId: string, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const found = await this.comments.listByPost(postId, undefined, ROWS_AT_ONCE);
      if (found.length === 0) return;
      await Promise.all(found.map((comment) => this.noteMarked(this.comments.markDeleted(comment, false))));
    }
  }

  private async eraseLikes(listActive: () => Promise<LikeDocument[]>, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const found = await listActive();
      if (found.length === 0) return;
      await Promise.all(found.map((like) => this.noteMarked(this.likes.markDeleted(like))));
    }
  }

  /** Records the marked row as counted: its target is gone. */
  private async noteMarked(marking: Promise<LikeDocument | CommentDocument | null>): Promise<void> {
    const row = await marking;
    if (row) await this.rowCounting.noteCounted(row);
  }
}
