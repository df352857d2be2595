import type { EventRecord } from '@pulso/platform/events/event-bus';
import type { OutboxSource } from '@pulso/platform/events/outbox';
import { commentTopic, likeTopic } from '@pulso/contracts/topics/posts';
import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import type { CommentRepository } from '../comment/comment.repository.js';
import type { CommentDocument } from '../comment/comment.schema.js';
import type { LikeDocument } from '../like/like.schema.js';
import type { Viewers } from '../projection/viewers.js';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { CountKeeper } from './count-keeper.js';
import type { PostRepository } from './post.repository.js';

/** A like or comment that changed, and what its count stands on. */
interface ChangedRow {
  id: string;
  version: number;
  /** Whether it counts. */
  live: boolean;
  counts: 'likes of post' | 'likes of comment' | 'comments of post';
  targetId: string;
  /** Whose likes changed. */
  likerId?: string;
}

const REMEMBERED = 10_000;
const PAGE = 500;

/**
 * Makes sure that every changed row gets counted, though the change and the count are two writes: rows stay dirty until
 * the outbox has published them, and it counts what was not seen counted before it forgets a row. At boot the dirty
 * rows are counted before anything is served, so that a crash is not even seen.
 */
export class RowCounting {
  /** Rows whose change this process has counted itself: row id → version. */
  private readonly counted = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly store: PostsStore,
    private readonly posts: PostRepository,
    private readonly comments: CommentRepository,
    private readonly counts: CountKeeper,
    private readonly viewers: Viewers,
  ) {}

  /** Says that a row's change is in the counts, so that the outbox need not see to it. */
  noteCounted(row: { _id: string; version: number }): void {
    this.counted.set(row._id, row.version);
  }

  /** The outbox, counting before it forgets. */
  over(outbox: OutboxSource): OutboxSource {
    return {
      pending: (limit) => outbox.pending(limit),
      published: async (events) => {
        await this.count(events.map(changedRowOf).filter((row) => row !== undefined));
        await outbox.published(events);
      },
      depth: () => outbox.depth(),
      removeExpired: () => outbox.removeExpired?.() ?? Promise.resolve(),
    };
  }

  /** Counts every row that is still dirty: a crash may have come between its change and its count. */
  async countDirtyRows(): Promise<void> {
    for await (const likes of this.dirty(this.store.raw.likes)) {
      await this.count(likes.map((like) => changedLike(like, like._id)));
    }
    for await (const comments of this.dirty(this.store.raw.comments)) {
      await this.count(comments.map((comment) => changedComment(comment, comment._id, comment.live)));
    }
  }

  private async count(rows: readonly ChangedRow[]): Promise<void> {
    const uncounted = rows.filter(({ id, version }) => (this.counted.get(id) ?? 0) < version);
    const byTarget = new Map(uncounted.map((row) => [`${row.counts} ${row.targetId}`, row]));
    for (const row of byTarget.values()) await this.countTarget(row);
    const likers = new Set(uncounted.flatMap(({ likerId }) => likerId ?? []));
    for (const likerId of likers) await this.viewers.likesChanged(likerId);
  }

  /** A row that counts although its target is deleted came too late for the sweep, which therefore goes again. */
  private async countTarget({ counts, targetId, live }: ChangedRow): Promise<void> {
    switch (counts) {
      case 'likes of post':
        if (!(await this.counts.likesOfPost(targetId)) && live) await this.posts.eraseAgain(targetId);
        return;
      case 'comments of post':
        if (!(await this.counts.commentsOfPost(targetId)) && live) await this.posts.eraseAgain(targetId);
        return;
      case 'likes of comment':
        if (!(await this.counts.likesOfComment(targetId)) && live) await this.comments.eraseAgain(targetId);
    }
  }

  /** The dirty rows in pages by `dirtyAt`, each once. */
  private async *dirty<D extends { _id: string; dirtyAt?: Date }>(
    collection: mongo.Collection<D>,
  ): AsyncGenerator<D[]> {
    const seen = new Set<string>();
    let from = new Date(1);
    let size = PAGE;
    for (;;) {
      const filter = { dirtyAt: { $gte: from } } as mongo.Filter<D>;
      const page = (await collection
        .find(filter, { maxTimeMS: READ_BUDGET_MS })
        .sort({ dirtyAt: 1 })
        .limit(size)
        .toArray()) as unknown as D[];
      yield page.filter((row) => !seen.has(row._id));
      for (const row of page) seen.add(row._id);
      const last = page.at(-1)?.dirtyAt;
      if (page.length < size || !last) return;
      // A page within one millisecond: only a longer one gets further.
      if (last.getTime() === from.getTime()) size *= 2;
      from = last;
    }
  }
}

function changedRowOf({ topic, key, payload }: EventRecord): ChangedRow | undefined {
  if (topic === likeTopic.name) return changedLike(likeTopic.codec.decode(payload), key);
  if (topic !== commentTopic.name) return undefined;
  const comment = commentTopic.codec.decode(payload);
  return changedComment(comment, key, !comment.deleted);
}

function changedLike(
  like: Pick<LikeDocument, 'version' | 'active' | 'onComment' | 'targetId' | 'userId'>,
  id: string,
): ChangedRow {
  const { version, active, onComment, targetId, userId } = like;
  const counts = onComment ? 'likes of comment' : 'likes of post';
  return { id, version, live: active, counts, targetId, likerId: userId };
}

function changedComment(
  { version, postId }: Pick<CommentDocument, 'version' | 'postId'>,
  id: string,
  live: boolean,
): ChangedRow {
  return { id, version, live, counts: 'comments of post', targetId: postId };
}
