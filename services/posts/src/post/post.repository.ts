import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { NewDocument } from '@pulso/platform/mongo/owned-collection';
import { Clock } from '@pulso/platform/time/clock';
import { PostCollection, type PostDocument } from './post.schema.js';

/** A post about to be inserted. */
export type NewPost = NewDocument<PostDocument>;

export interface AuthorTotals {
  posts: number;
  likes: number;
  comments: number;
}

@Injectable()
export class PostRepository {
  constructor(
    readonly rows: PostCollection,
    private readonly clock: Clock,
  ) {}

  newPost(fields: Pick<PostDocument, 'authorId' | 'content' | 'visibility'>): NewPost {
    const now = this.clock.now();
    const createdAt = new Date(now);
    return {
      ...fields,
      _id: newIdAt(now),
      likeCount: 0,
      commentCount: 0,
      createdAt,
      updatedAt: createdAt,
      live: true,
      version: this.rows.firstVersion(),
    };
  }

  /** A post that is not deleted. */
  async find(id: string): Promise<PostDocument | null> {
    const post = await this.findEvenDeleted(id);
    return post?.live ? post : null;
  }

  findEvenDeleted(id: string): Promise<PostDocument | null> {
    return this.rows.findOne({ _id: id });
  }

  /** The posts among `ids` that are not deleted, in no particular order. */
  findAll(ids: readonly string[]): Promise<PostDocument[]> {
    return this.rows.find({ _id: { $in: [...ids] }, live: true }, { limit: ids.length });
  }

  /** Newest first, older than the post `before` when given. */
  listByAuthor(authorId: string, before: string | undefined, limit: number): Promise<PostDocument[]> {
    const older = before === undefined ? {} : { _id: { $lt: before } };
    return this.rows.find({ authorId, live: true, ...older }, { sort: { _id: -1 }, limit });
  }

  /**
   * By author: the number of their posts that are not deleted and not in `except`, and of the likes and comments on
   * them.
   */
  async totalsOf(
    authorIds: readonly string[],
    except: readonly string[],
  ): Promise<ReadonlyMap<string, AuthorTotals>> {
    if (authorIds.length === 0) return new Map();
    const totals = await this.rows.aggregate<AuthorTotals & { _id: string }>([
      { $match: { authorId: { $in: [...authorIds] }, live: true, _id: { $nin: [...except] } } },
      {
        $group: {
          _id: '$authorId',
          posts: { $sum: 1 },
          likes: { $sum: '$likeCount' },
          comments: { $sum: '$commentCount' },
        },
      },
      { $limit: authorIds.length },
    ]);
    return new Map(totals.map(({ _id, posts, likes, comments }) => [_id, { posts, likes, comments }]));
  }

  /** Compare-and-set: returns the deleted post without its text, or null when it has changed since `seen`. */
  markDeleted(seen: PostDocument): Promise<PostDocument | null> {
    const deletedAt = new Date(this.clock.now());
    return this.rows.change(seen, {
      set: { live: false, deletedAt, content: '', likeCount: 0, commentCount: 0, erasing: true },
    });
  }

  /** Deleted posts whose comments and likes the sweep has not marked yet. */
  listErasing(limit: number): Promise<PostDocument[]> {
    return this.rows.find({ erasing: true }, { limit });
  }

  erased(id: string): Promise<void> {
    return this.rows.setUnpublished({ _id: id }, { unset: ['erasing'] });
  }

  /** Makes the sweep process a deleted post again. */
  eraseAgain(id: string): Promise<void> {
    return this.rows.setUnpublished({ _id: id, live: false }, { set: { erasing: true } });
  }
}
