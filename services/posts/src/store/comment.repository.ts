import { Injectable } from '@nestjs/common';
import { newIdAt, timeOfId } from '@pulso/platform/ids/uuid-v7';
import { IDEMPOTENCY_NAMES } from '@pulso/platform/mongo/idempotent-insert';
import type { NewDocument } from '@pulso/platform/mongo/owned-collection';
import { Clock } from '@pulso/platform/time/clock';
import type { mongo } from 'mongoose';
import { CommentCollection, type CommentDocument } from './comment.schema.js';
import { toCount } from './counted-fields.js';
import { DeletedImports } from './deleted-imports.js';
import { type DecisionFields, hasDecision, HIDING_NAMES } from './hiding.js';

const OWN_HIDING_NAMES = [...HIDING_NAMES, 'hiddenOfPost'] as const;

type NewFields = Pick<CommentDocument, 'postId' | 'postAuthorId' | 'authorId' | 'content' | 'mentionedIds'>;
/** Of a comment that is imported (ACCT-46). */
type ImportedFields = Required<Pick<CommentDocument, '_id' | 'importedAt'>>;

/** A comment about to be inserted. */
export type NewComment = NewDocument<CommentDocument>;

@Injectable()
export class CommentRepository {
  constructor(
    readonly rows: CommentCollection,
    private readonly deletedImports: DeletedImports,
    private readonly clock: Clock,
  ) {}

  /** The id is a UUIDv7 of `createdAt`. */
  newComment(fields: NewFields, imported?: ImportedFields): NewComment {
    const _id = imported?._id ?? newIdAt(this.clock.now());
    const createdAt = new Date(timeOfId(_id));
    return {
      ...fields,
      ...imported,
      ...(imported && { importedTo: fields.postId }),
      _id,
      likeCount: 0,
      createdAt,
      updatedAt: createdAt,
      live: true,
      version: this.rows.firstVersion(),
      ...toCount(),
    };
  }

  /** A comment that is not deleted. */
  async find(id: string): Promise<CommentDocument | null> {
    const comment = await this.findEvenDeleted(id);
    return comment?.live ? comment : null;
  }

  findEvenDeleted(id: string): Promise<CommentDocument | null> {
    return this.rows.findOne({ _id: id });
  }

  /** Whether a user has written a comment that is not deleted. */
  async hasAny(authorId: string): Promise<boolean> {
    return (await this.rows.findOne({ authorId, live: true }, { projection: { _id: 1 } })) !== null;
  }

  /** Those of an author among `ids`, also deleted ones, of imported ones for ever: whether each is there. */
  liveAmong(authorId: string, ids: readonly string[]): Promise<Map<string, boolean>> {
    const found = this.rows.find(
      { _id: { $in: [...ids] }, authorId },
      { projection: { live: 1 }, limit: ids.length },
    );
    return this.deletedImports.liveAmong(authorId, ids, found);
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

  /**
   * The same without comments of suspended authors, as far as those are marked, and without those that moderators hide from
   * the viewer: each is there for its author (PEOPLE-37).
   */
  async listShown(
    postId: string,
    viewerId: string | undefined,
    after: string | undefined,
    limit: number,
  ): Promise<CommentDocument[]> {
    const newer = after === undefined ? {} : { _id: { $gt: after } };
    const page = { sort: { _id: 1 }, limit } as const;
    const forAll = { postId, live: true, authorHidden: null, hiddenOfPost: null, ...newer };
    // Two reads, each in the order of an index: as one `$or` the embedded store could not do them.
    const [shown, own] = await Promise.all([
      this.rows.find(forAll as object as mongo.Filter<CommentDocument>, page),
      viewerId === undefined
        ? []
        : this.rows.find({ hiddenOfPost: postId, authorId: viewerId, ...newer }, page),
    ]);
    if (own.length === 0) return shown;
    // By id: one that is hidden or shown meanwhile may be in both.
    const rows = new Map([...shown, ...own].map((row) => [row._id, row]));
    return [...rows.values()].toSorted((a, b) => (a._id < b._id ? -1 : 1)).slice(0, limit);
  }

  /** Ids and marks of an author's comments, also deleted ones, oldest first, newer than `after`. */
  listMarks(
    authorId: string,
    after: string,
    limit: number,
  ): Promise<Pick<CommentDocument, '_id' | 'authorHidden'>[]> {
    return this.rows.find(
      { authorId, _id: { $gt: after } },
      { projection: { authorHidden: 1 }, sort: { _id: 1 }, limit },
    );
  }

  /** Marks comments as those of a suspended author, or takes the marks away. */
  mark(ids: readonly string[], authorHidden: boolean): Promise<void> {
    const change = authorHidden ? { set: { authorHidden } } : { unset: ['authorHidden'] as const };
    return this.rows.setAllUnpublished({ _id: { $in: [...ids] } }, change);
  }

  /** The next author, by id, who has marked comments. */
  async nextMarkedAuthor(after: string): Promise<string | undefined> {
    const marked = await this.rows.findOne(
      { authorHidden: true, authorId: { $gt: after } },
      { projection: { authorId: 1 }, sort: { authorId: 1 } },
    );
    return marked?.authorId;
  }

  /** The comments just before this one, oldest first. */
  async listBefore(
    { _id, postId }: Pick<CommentDocument, '_id' | 'postId'>,
    limit: number,
  ): Promise<CommentDocument[]> {
    const older = await this.rows.find(
      { postId, live: true, _id: { $lt: _id } },
      { sort: { _id: -1 }, limit },
    );
    return older.reverse();
  }

  /** Counted from indexes. Comments hidden by moderators do not count. */
  async countByPost(postId: string): Promise<number> {
    const [live, hidden] = await Promise.all([
      this.rows.count({ postId, live: true }),
      this.rows.count({ hiddenOfPost: postId }),
    ]);
    return live - hidden;
  }

  /** Those of them that the post's author has imported (ACCT-46). */
  async countImported({ _id: postId, authorId }: { _id: string; authorId: string }): Promise<number> {
    const [live, hidden] = await Promise.all([
      this.rows.count({ importedTo: postId }),
      // A range: an index has no place for what is merely there.
      this.rows.count({ hiddenOfPost: postId, authorId, importedTo: { $gt: '' } }),
    ]);
    return live - hidden;
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
  async markDeleted(seen: CommentDocument, erasing: boolean): Promise<CommentDocument | null> {
    await this.deletedImports.keep(seen);
    const deletedAt = new Date(this.clock.now());
    const set = {
      ...{ live: false, content: '', likeCount: 0, deletedAt, ...toCount() },
      ...(erasing ? { erasing } : {}),
    };
    return this.rows.change(seen, { set, unset: [...OWN_HIDING_NAMES, 'mentionedIds', 'importedTo'] });
  }

  /**
   * Writes a moderator's decision on the comment (null: there is none), which publishes it with the author's id. Returns
   * the changed comment; null if it has the decision already or is gone.
   */
  async storeDecision(id: string, decision: DecisionFields | null): Promise<CommentDocument | null> {
    for (;;) {
      const seen = await this.find(id);
      if (!seen || hasDecision(seen, decision)) return null;
      const hiding = decision?.hidden && {
        hiddenReason: decision.reason,
        hiddenAt: decision.decidedAt,
        hiddenOfPost: seen.postId,
      };
      const changed = await this.rows.change(
        seen,
        hiding ? { set: { ...hiding, ...toCount() } } : { set: toCount(), unset: OWN_HIDING_NAMES },
      );
      if (changed) return changed;
    }
  }

  /** The comments that have a moderator's decision; there are few. */
  async listHidden(): Promise<string[]> {
    // A range, because the index has every comment: only bounds narrow it.
    const hidden = await this.rows.find({ hiddenOfPost: { $gt: '' } }, { projection: { _id: 1 } });
    return hidden.map(({ _id }) => _id);
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
