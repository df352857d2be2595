import { dirty } from '@pulso/platform/events/mongo-outbox';
import { nextVersion } from '@pulso/platform/events/version';
import type { Clock } from '@pulso/platform/time/clock';
import type { PostsStore } from '../store/posts-store.js';
import { isDuplicateKey, READ_BUDGET_MS } from '../store/queries.js';
import { type LikeTarget, likeId } from './like.js';
import type { LikeDocument } from './like.schema.js';

export class LikeRepository {
  constructor(
    private readonly store: PostsStore,
    private readonly clock: Clock,
  ) {}

  async find(targetId: string, userId: string): Promise<LikeDocument | null> {
    return this.store.likes
      .findOne({ _id: likeId(targetId, userId) })
      .maxTimeMS(READ_BUDGET_MS)
      .lean<LikeDocument>();
  }

  /** Puts the like there if it isn't. `changed` is false when it was there; idempotent under races. */
  async activate(target: LikeTarget, userId: string): Promise<{ like: LikeDocument; changed: boolean }> {
    for (;;) {
      const seen = await this.find(target.targetId, userId);
      if (seen?.active) return { like: seen, changed: false };
      const like = seen ? await this.revive(seen) : await this.insert(target, userId);
      if (like) return { like, changed: true };
    }
  }

  /** Takes the like back; null when there was none. */
  async deactivate(targetId: string, userId: string): Promise<LikeDocument | null> {
    for (;;) {
      const seen = await this.find(targetId, userId);
      if (!seen?.active) return null;
      const like = await this.markDeleted(seen);
      if (like) return like;
    }
  }

  /** Counted in the index (targetId, active). */
  async countByTarget(targetId: string): Promise<number> {
    return this.store.raw.likes.countDocuments({ targetId, active: true }, { maxTimeMS: READ_BUDGET_MS });
  }

  /** Which of the targets the user likes; raw, since every feed page may ask. */
  async likedAmong(userId: string, targetIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.store.raw.likes
      .find({ _id: { $in: targetIds.map((targetId) => likeId(targetId, userId)) }, active: true } as object, {
        projection: { targetId: 1 },
        maxTimeMS: READ_BUDGET_MS,
      })
      .limit(targetIds.length)
      .toArray();
    return new Set(rows.map(({ targetId }) => targetId as string));
  }

  async listActiveByPost(postId: string, limit: number): Promise<LikeDocument[]> {
    return this.listActive({ postId }, limit);
  }

  async listActiveByTarget(targetId: string, limit: number): Promise<LikeDocument[]> {
    return this.listActive({ targetId }, limit);
  }

  /** Compare-and-set: the inactive row, or null when it is no longer as `seen`. */
  async markDeleted(seen: LikeDocument): Promise<LikeDocument | null> {
    const now = new Date(this.clock.now());
    const version = nextVersion(seen.version, this.clock);
    return this.store.likes
      .findOneAndUpdate(
        { _id: seen._id, version: seen.version },
        { $set: { active: false, deletedAt: now, version, ...dirty(now) } },
        { returnDocument: 'after' },
      )
      .lean<LikeDocument>();
  }

  private async listActive(
    of: { postId: string } | { targetId: string },
    limit: number,
  ): Promise<LikeDocument[]> {
    return this.store.likes
      .find({ ...of, active: true })
      .limit(limit)
      .maxTimeMS(READ_BUDGET_MS)
      .lean<LikeDocument[]>();
  }

  private async insert(target: LikeTarget, userId: string): Promise<LikeDocument | null> {
    const now = new Date(this.clock.now());
    const like: LikeDocument = {
      _id: likeId(target.targetId, userId),
      userId,
      ...target,
      active: true,
      createdAt: now,
      version: nextVersion(undefined, this.clock),
      ...dirty(now),
    };
    try {
      await this.store.raw.likes.insertOne({ ...like });
      return like;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  private async revive(seen: LikeDocument): Promise<LikeDocument | null> {
    const now = new Date(this.clock.now());
    const version = nextVersion(seen.version, this.clock);
    return this.store.likes
      .findOneAndUpdate(
        { _id: seen._id, version: seen.version },
        { $set: { active: true, createdAt: now, version, ...dirty(now) }, $unset: { deletedAt: '' } },
        { returnDocument: 'after' },
      )
      .lean<LikeDocument>();
  }
}
