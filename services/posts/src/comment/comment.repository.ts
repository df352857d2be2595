import { type Dirty, dirty } from '@pulso/platform/events/mongo-outbox';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import { FORGET_KEY, type IdempotencyFields, type IdempotentRows } from '../store/idempotency.js';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { CommentDocument } from './comment.schema.js';

/** A comment about to be inserted. */
export type NewComment = Omit<CommentDocument, 'version' | keyof Dirty | 'live'>;

export class CommentRepository implements IdempotentRows {
  constructor(
    private readonly store: PostsStore,
    private readonly clock: Clock,
  ) {}

  /** Fails by a duplicate key when the idempotency key is taken. */
  async insert(comment: NewComment): Promise<CommentDocument> {
    const document: CommentDocument = {
      ...comment,
      live: true,
      version: nextVersion(undefined, this.clock),
      ...dirty(new Date(this.clock.now())),
    };
    await this.store.raw.comments.insertOne({ ...document });
    return document;
  }

  /** A comment that is not deleted. */
  async find(id: string): Promise<CommentDocument | null> {
    const comment = await this.store.comments
      .findOne({ _id: id })
      .maxTimeMS(READ_BUDGET_MS)
      .lean<CommentDocument>();
    return comment?.live ? comment : null;
  }

  /** The post of a comment, deleted or not. */
  async postOf(id: string): Promise<string | undefined> {
    const comment = await this.store.comments
      .findOne({ _id: id }, { postId: 1 })
      .maxTimeMS(READ_BUDGET_MS)
      .lean<CommentDocument>();
    return comment?.postId;
  }

  /** Oldest first, newer than the comment `after` when given. */
  async listByPost(postId: string, after: string | undefined, limit: number): Promise<CommentDocument[]> {
    return this.store.comments
      .find({ postId, live: true, ...(after === undefined ? {} : { _id: { $gt: after } }) })
      .sort({ _id: 1 })
      .limit(limit)
      .maxTimeMS(READ_BUDGET_MS)
      .lean<CommentDocument[]>();
  }

  /** Counted in the index (postId, live). */
  async countByPost(postId: string): Promise<number> {
    return this.store.raw.comments.countDocuments({ postId, live: true }, { maxTimeMS: READ_BUDGET_MS });
  }

  /** When the post's newest comment was written. */
  async newestOfPost(postId: string): Promise<Date | undefined> {
    const newest = await this.store.comments
      .findOne({ postId, live: true }, { createdAt: 1 })
      .sort({ _id: -1 })
      .maxTimeMS(READ_BUDGET_MS)
      .lean<CommentDocument>();
    return newest?.createdAt;
  }

  /** Compare-and-set: the comment with its new count, or null when it is no longer as `seen`. */
  async setLikeCount(seen: CommentDocument, likeCount: number): Promise<CommentDocument | null> {
    const version = nextVersion(seen.version, this.clock);
    return this.store.comments
      .findOneAndUpdate(
        { _id: seen._id, version: seen.version },
        { $set: { likeCount, version } },
        { returnDocument: 'after' },
      )
      .lean<CommentDocument>();
  }

  /**
   * Compare-and-set: the deleted comment without its text, or null when it is no longer as `seen`. `erasing` leaves
   * the marking of its likes to the sweep.
   */
  async markDeleted(seen: CommentDocument, erasing: boolean): Promise<CommentDocument | null> {
    const now = new Date(this.clock.now());
    return this.store.comments
      .findOneAndUpdate(
        { _id: seen._id, version: seen.version },
        {
          $set: {
            live: false,
            content: '',
            likeCount: 0,
            deletedAt: now,
            version: nextVersion(seen.version, this.clock),
            ...dirty(now),
            ...(erasing ? { erasing } : {}),
          },
        },
        { returnDocument: 'after' },
      )
      .lean<CommentDocument>();
  }

  /** Deleted comments whose likes are still to be marked. */
  async listErasing(limit: number): Promise<CommentDocument[]> {
    return this.store.comments
      .find({ erasing: true })
      .limit(limit)
      .maxTimeMS(READ_BUDGET_MS)
      .lean<CommentDocument[]>();
  }

  async erased(id: string): Promise<void> {
    await this.store.comments.updateOne({ _id: id }, { $unset: { erasing: '' } });
  }

  /** Sends the sweep over a deleted comment again. */
  async eraseAgain(id: string): Promise<void> {
    await this.store.comments.updateOne({ _id: id, live: false }, { $set: { erasing: true } });
  }

  async findIdempotent(idempotencyId: string): Promise<IdempotencyFields | null> {
    return this.store.comments.findOne({ idempotencyId }).maxTimeMS(READ_BUDGET_MS).lean<CommentDocument>();
  }

  async forgetIdempotent(idempotencyId: string, before: Date): Promise<void> {
    await this.store.comments.updateOne({ idempotencyId, idempotencyAt: { $lte: before } }, FORGET_KEY);
  }
}
