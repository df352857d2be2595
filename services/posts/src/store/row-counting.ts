import {
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { groupBy } from '@pulso/platform/collections/group-by';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { PollingLoop } from '@pulso/platform/jobs/polling-loop';
import { Logger } from '@pulso/platform/logging/logger';
import { Clock } from '@pulso/platform/time/clock';
import { LRUCache } from 'lru-cache';
import { Registry } from 'prom-client';
import { CommentRepository } from './comment.repository.js';
import type { CommentDocument } from './comment.schema.js';
import { CountKeeper } from './count-keeper.js';
import { isUncounted } from './counted-fields.js';
import { LikeRepository } from './like.repository.js';
import type { LikeDocument } from './like.schema.js';
import { PostRepository } from './post.repository.js';
import { Viewers } from './viewers.js';

type Row = LikeDocument | CommentDocument;

/** What one kind of rows has in common with the other. */
interface Kind<R extends Row> {
  readonly rows: LikeRepository['rows'] | CommentRepository['rows'];
  targetOf(row: R): string;
  isLive(row: R): boolean;
  /** Counts the target of the row; null when that is deleted. */
  count(row: R): Promise<object | null>;
  /** The row is live and was written after the sweep over its deleted target, so the sweep has to run again. */
  sweepAgain(row: R): Promise<void>;
}

const ROWS_AT_ONCE = 200;
/** How long the start waits for what a crash has left to be counted. */
const START_LIMIT_MS = 5_000;
const CHECK_MS = 30_000;
/** The writer of a younger row may still be counting it. */
const MIN_AGE_MS = 10_000;
/** A target whose count has failed, for instance because it took too long, is not counted again for this long, except by a writer. */
const PAUSE_MS = 60_000;
const PAUSED_TARGETS = 10_000;

/**
 * Makes sure that every changed like and comment is counted, although the change and the count are two writes. The change
 * marks the row as `uncounted`, its count takes the mark away. Who has changed a row counts it; marks that a crash or a
 * failure leaves are counted by the replica that publishes the row, at the start, and regularly in the background.
 */
@Injectable()
export class RowCounting implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  /** Rows that this process is counting: row id → how many counts. */
  private readonly underWay = new Map<string, number>();
  private readonly paused = new LRUCache<string, true>({ max: PAUSED_TARGETS, ttl: PAUSE_MS });
  private readonly loop: PollingLoop;
  private readonly kinds: readonly Kind<Row>[];
  private readonly ofLikes: Kind<LikeDocument>;
  private readonly ofComments: Kind<CommentDocument>;
  /** By kind: the last mark that the current round in the background has read. */
  private readonly reached = new Map<Kind<Row>, string>();

  constructor(
    posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly likes: LikeRepository,
    private readonly counts: CountKeeper,
    private readonly viewers: Viewers,
    private readonly clock: Clock,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.ofLikes = {
      rows: likes.rows,
      targetOf: ({ targetId }) => targetId,
      isLive: ({ active }) => active,
      count: ({ onComment, targetId }) =>
        onComment ? this.counts.likesOfComment(targetId) : this.counts.likesOfPost(targetId),
      sweepAgain: ({ onComment, targetId }) => (onComment ? comments : posts).eraseAgain(targetId),
    };
    this.ofComments = {
      rows: comments.rows,
      targetOf: ({ postId }) => postId,
      isLive: ({ live }) => live,
      count: ({ postId }) => this.counts.commentsOfPost(postId),
      sweepAgain: ({ postId }) => posts.eraseAgain(postId),
    };
    this.kinds = [this.ofLikes, this.ofComments] as never;
    likes.rows.beforeOutboxClear((rows) => this.countPublished(this.ofLikes, rows));
    comments.rows.beforeOutboxClear((rows) => this.countPublished(this.ofComments, rows));
    this.loop = new PollingLoop({
      name: 'counting of likes and comments that were left uncounted',
      everyMs: CHECK_MS,
      work: (stopping) => this.countSome(stopping),
      logger,
      ref: false,
      registry,
    });
  }

  /** Counts what a crash has left, so that no wrong count is visible, but no longer than `START_LIMIT_MS`: the rest follows later. */
  async onModuleInit(): Promise<void> {
    const until = performance.now() + START_LIMIT_MS;
    for (const kind of this.kinds) {
      for (let after: string | undefined = ''; after !== undefined && performance.now() < until;) {
        after = await this.countPage(kind, { $gt: after }, () => performance.now() >= until);
      }
    }
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Counts a like that the caller has just changed and returns its target, null when that is deleted. */
  countLike(like: LikeDocument): Promise<{ likeCount: number } | null> {
    return this.own(like, async () => {
      const [target] = await Promise.all([
        this.ofLikes.count(like) as Promise<{ likeCount: number } | null>,
        this.viewers.likesChanged(like.userId),
      ]);
      return target;
    });
  }

  /** The same for a comment; returns its post, null when it is deleted. */
  countComment(comment: CommentDocument): Promise<{ commentCount: number } | null> {
    return this.own(comment, () => this.counts.commentsOfPost(comment.postId));
  }

  /** Records that a row needs no count, because its target is gone, or that it was counted; a newer change stays uncounted. */
  async noteCounted(row: Row): Promise<void> {
    const { _id, dirtyVersion } = row;
    const kind = 'userId' in row ? this.likes : this.comments;
    await kind.rows.setUnpublished({ _id, dirtyVersion } as never, {
      ...(dirtyVersion !== undefined && { set: { counted: dirtyVersion } }),
      unset: ['uncounted'],
    });
  }

  private async own<T>(row: Row, count: () => Promise<T | null>): Promise<T | null> {
    this.underWay.set(row._id, (this.underWay.get(row._id) ?? 0) + 1);
    try {
      const target = await count();
      // A row without a target is left marked, in case its writer crashes before it takes the row back.
      if (target) await this.noteCounted(row);
      return target;
    } finally {
      const others = this.underWay.get(row._id)! - 1;
      if (others > 0) this.underWay.set(row._id, others);
      else this.underWay.delete(row._id);
    }
  }

  /** Published rows whose writer has not counted them. Those that this process is counting right now keep their mark. */
  private async countPublished<R extends Row>(kind: Kind<R>, published: readonly R[]): Promise<void> {
    const ids = published.filter(isUncounted).map(({ _id }) => _id);
    if (ids.length === 0) return;
    // Most were counted since the outbox has read them.
    const now = (await kind.rows.find({ _id: { $in: ids } } as never, { limit: ids.length })) as Row[] as R[];
    const left = now.filter((row) => isUncounted(row) && !this.underWay.has(row._id));
    for (const row of await this.countRows(kind, left)) {
      // A row of the version before the mark: once it is published, nothing else tells that it is uncounted.
      if (row.uncounted !== undefined) continue;
      const { _id, dirtyVersion } = row;
      const uncounted = newIdAt(this.clock.now());
      await kind.rows.setUnpublished({ _id, dirtyVersion } as never, { set: { uncounted } });
    }
  }

  /** A page of each kind; the next pass follows at once while there are more. */
  private async countSome(stopping: AbortSignal): Promise<void> {
    const old = newIdAt(this.clock.now() - MIN_AGE_MS);
    for (const kind of this.kinds) {
      const range = { $gt: this.reached.get(kind) ?? '', $lt: old };
      const after = await this.countPage(kind, range, () => stopping.aborted);
      this.reached.set(kind, after ?? '');
      if (after !== undefined) this.loop.nudge();
    }
  }

  /** Counts the next marked rows, oldest first. Returns the last mark, undefined at the end. */
  private async countPage(
    kind: Kind<Row>,
    range: { $gt: string; $lt?: string },
    isOver: () => boolean,
  ): Promise<string | undefined> {
    const filter = { uncounted: range } as never;
    const page = (await kind.rows.find(filter, { sort: { uncounted: 1 }, limit: ROWS_AT_ONCE })) as Row[];
    await this.countRows(
      kind,
      page.filter(({ _id }) => !this.underWay.has(_id)),
      isOver,
    );
    return page.length < ROWS_AT_ONCE ? undefined : page.at(-1)!.uncounted;
  }

  /** Counts the targets of these rows one after another. Returns the rows for which that failed, or that were not reached. */
  private async countRows<R extends Row>(
    kind: Kind<R>,
    rows: readonly R[],
    isOver = () => false,
  ): Promise<R[]> {
    const left: R[] = [];
    for (const [target, ofTarget] of groupBy(rows, kind.targetOf)) {
      if (isOver() || this.paused.has(target)) {
        left.push(...ofTarget);
        continue;
      }
      try {
        await this.countTarget(kind, ofTarget);
      } catch (error) {
        this.paused.set(target, true);
        left.push(...ofTarget);
        this.logger.warn({ err: error, target }, 'counting failed, will be retried');
      }
    }
    return left;
  }

  private async countTarget<R extends Row>(kind: Kind<R>, rows: readonly R[]): Promise<void> {
    const live = rows.find(kind.isLive);
    if (!(await kind.count(rows[0]!)) && live) await kind.sweepAgain(live);
    const likers = rows.flatMap((row) => ('userId' in row ? [row.userId] : []));
    for (const userId of new Set(likers)) await this.viewers.likesChanged(userId);
    await Promise.all(rows.map((row) => this.noteCounted(row)));
  }
}
