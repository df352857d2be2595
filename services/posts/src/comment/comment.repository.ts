import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { IDEMPOTENCY_NAMES } from '@pulso/platform/mongo/idempotent-insert';
import type { NewDocument } from '@pulso/platform/mongo/owned-collection';
import { Clock } from '@pulso/platform/time/clock';
import { CommentCollection, type CommentDocument } from './comment.schema.js';

/** A comment about to be inserted. */
export type NewComment = NewDocument<CommentDocument>;

@Injectable()
export class CommentRepository {
  constructor(
    readonly rows: CommentCollection,
    private readonly clock: Clock,
  ) {}

  newComment(fields: Pick<CommentDocument, 'postId' | 'postAuthorId' | 'authorId' | 'content'>): NewComment {
    const now = this.clock.now();
    const createdAt = new Date(now);
    return {
      ...fields,
      _id: newIdAt(now),
      likeCount: 0,
      createdAt,
      updatedAt: createdAt,
      live: true,
      version: this.rows.firstVersion(),
    };
  }

  /** A comment that is not deleted. */
  async find(id: string): Promise<CommentDocument | null> {
    const comment = await this.rows.findOne({ _id: id });
    return comment?.live ? comment : null;
  }

  /** The post of a comment, including deleted comments. */
  async postOf(id: string): Promise<string | undefined> {
    const comment = await this.rows.findOne({ _id: id }, { projection: { postId: 1 } });
    return comment?.postId;
  }

  /** Oldest first, newer than the comment `after` when given. */
  listByPost(postId: string, after: string | undefined, limit: number): Promise<CommentDocument[]> {
    const newer = after === undefined ? {} : { _id: { $gt: after } };
    return this.rows.find({ postId, live: true, ...newer }, { sort: { _id: 1 }, limit });
  }

  /** Counted from the index (postId, live). */
  countByPost(postId: string): Promise<number> {
    return this.rows.count({ postId, live: true });
  }

  /** When the newest comment of the post was written. */
  async newestOfPost(postId: string): Promise<Date | undefined> {
    const newest = await this.rows.findOne(
      { postId, live: true },
      { projection: { createdAt: 1 }, sort: { _id: -1 } },
    );
    return newest?.createdAt;
  }

  /**
   * Compare-and-set: returns the deleted comment without its text, or null when it has changed since `seen`. With
   * `erasing`, the background sweep will mark its likes as deleted.
   */
  markDeleted(seen: CommentDocument, erasing: boolean): Promise<CommentDocument | null> {
    const deletedAt = new Date(this.clock.now());
    const set = { live: false, content: '', likeCount: 0, deletedAt, ...(erasing ? { erasing } : {}) };
    return this.rows.change(seen, { set });
  }

  /** Deletes a comment whose request has failed, so that the same Idempotency-Key does not return it. */
  async takeBack(comment: CommentDocument): Promise<void> {
    await this.rows.setUnpublished({ _id: comment._id }, { unset: IDEMPOTENCY_NAMES });
    await this.markDeleted(comment, false);
  }

  /** Deleted comments whose likes the sweep has not marked yet. */
  listErasing(limit: number): Promise<CommentDocument[]> {
    return this.rows.find({ erasing: true }, { limit });
  }

  erased(id: string): Promise<void> {
    return this.rows.setUnpublished({ _id: id }, { unset: ['erasing'] });
  }

  /** Makes the sweep process a deleted comment again. */
  eraseAgain(id: string): Promise<void> {
    return this.rows.setUnpublished({ _id: id, live: false }, { set: { erasing: true } });
  }
}
