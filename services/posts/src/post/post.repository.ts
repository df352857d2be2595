import type { Clock } from '@pulso/platform/time/clock';
import { type Dirty, dirty } from '@pulso/platform/events/mongo-outbox';
import { nextVersion } from '@pulso/platform/events/version';
import type { UpdateQuery } from 'mongoose';
import { FORGET_KEY, type IdempotencyFields, type IdempotentRows } from '../store/idempotency.js';
import type { PostsStore } from '../store/posts-store.js';
import { READ_BUDGET_MS } from '../store/queries.js';
import type { PostDocument } from './post.schema.js';

/** A post about to be inserted. */
export type NewPost = Omit<PostDocument, 'version' | 'changedAt' | keyof Dirty | 'live'>;

export interface PostChange {
  set: Partial<Omit<PostDocument, '_id' | 'version' | 'changedAt'>>;
  unset?: readonly (keyof PostDocument)[];
  /** Whether the public state changes, so that it must be published. Counts and texts are not in it. */
  publish: boolean;
}

export interface AuthorTotals {
  posts: number;
  likes: number;
  comments: number;
}

export class PostRepository implements IdempotentRows {
  constructor(
    private readonly store: PostsStore,
    private readonly clock: Clock,
  ) {}

  /** Fails by a duplicate key when the idempotency key is taken. */
  async insert(post: NewPost): Promise<PostDocument> {
    const { _id, ...fields } = post;
    const now = new Date(this.clock.now());
    const version = nextVersion(undefined, this.clock);
    // An upsert because only updates can take the store's own time.
    const inserted = await this.store.posts
      .findOneAndUpdate(
        { _id },
        {
          $setOnInsert: { ...fields, live: true, version, ...dirty(now) },
          $currentDate: { changedAt: true },
        },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<PostDocument>();
    return inserted!;
  }

  /** A post that is not deleted. */
  async find(id: string): Promise<PostDocument | null> {
    const post = await this.findEvenDeleted(id);
    return post?.live ? post : null;
  }

  async findEvenDeleted(id: string): Promise<PostDocument | null> {
    return this.store.posts.findOne({ _id: id }).maxTimeMS(READ_BUDGET_MS).lean<PostDocument>();
  }

  /** Those of `ids` that are not deleted, in no particular order. */
  async findAll(ids: readonly string[]): Promise<PostDocument[]> {
    return this.store.posts
      .find({ _id: { $in: [...ids] }, live: true })
      .limit(ids.length)
      .maxTimeMS(READ_BUDGET_MS)
      .lean<PostDocument[]>();
  }

  /** Newest first, older than the post `before` when given. */
  async listByAuthor(authorId: string, before: string | undefined, limit: number): Promise<PostDocument[]> {
    return this.store.posts
      .find({ authorId, live: true, ...(before === undefined ? {} : { _id: { $lt: before } }) })
      .sort({ _id: -1 })
      .limit(limit)
      .maxTimeMS(READ_BUDGET_MS)
      .lean<PostDocument[]>();
  }

  /** By author: their posts that are not deleted, without `except`, and the likes and comments on them. */
  async totalsOf(
    authorIds: readonly string[],
    except: readonly string[],
  ): Promise<ReadonlyMap<string, AuthorTotals>> {
    if (authorIds.length === 0) return new Map();
    const totals = await this.store.posts
      .aggregate<AuthorTotals & { _id: string }>([
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
      ])
      .option({ maxTimeMS: READ_BUDGET_MS });
    return new Map(totals.map(({ _id, posts, likes, comments }) => [_id, { posts, likes, comments }]));
  }

  /** Compare-and-set: the changed post, or null when it is no longer as `seen`. */
  async change(seen: PostDocument, { set, unset = [], publish }: PostChange): Promise<PostDocument | null> {
    const version = nextVersion(seen.version, this.clock);
    const update: UpdateQuery<PostDocument> = {
      $set: { ...set, version, ...(publish ? dirty(new Date(this.clock.now())) : {}) },
      $currentDate: { changedAt: true },
    };
    if (unset.length > 0) update.$unset = Object.fromEntries(unset.map((field) => [field, '']));
    return this.store.posts
      .findOneAndUpdate({ _id: seen._id, version: seen.version }, update, { returnDocument: 'after' })
      .lean<PostDocument>();
  }

  /** Deleted posts whose comments and likes are still to be marked. */
  async listErasing(limit: number): Promise<PostDocument[]> {
    return this.store.posts
      .find({ erasing: true })
      .limit(limit)
      .maxTimeMS(READ_BUDGET_MS)
      .lean<PostDocument[]>();
  }

  async erased(id: string): Promise<void> {
    await this.store.posts.updateOne({ _id: id }, { $unset: { erasing: '' } });
  }

  /** Sends the sweep over a deleted post again. */
  async eraseAgain(id: string): Promise<void> {
    await this.store.posts.updateOne({ _id: id, live: false }, { $set: { erasing: true } });
  }

  async findIdempotent(idempotencyId: string): Promise<IdempotencyFields | null> {
    return this.store.posts.findOne({ idempotencyId }).maxTimeMS(READ_BUDGET_MS).lean<PostDocument>();
  }

  async forgetIdempotent(idempotencyId: string, before: Date): Promise<void> {
    await this.store.posts.updateOne({ idempotencyId, idempotencyAt: { $lte: before } }, FORGET_KEY);
  }
}
