import { Injectable } from '@nestjs/common';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import type { Position } from '@pulso/platform/paging/list-page';
import { Clock } from '@pulso/platform/time/clock';
import { toCount } from './counted-fields.js';
import { type LikeTarget, likeId } from './like.js';
import { LikeCollection, type LikeDocument } from './like.schema.js';

@Injectable()
export class LikeRepository {
  constructor(
    readonly rows: LikeCollection,
    private readonly clock: Clock,
  ) {}

  find(targetId: string, userId: string): Promise<LikeDocument | null> {
    return this.rows.findOne({ _id: likeId(targetId, userId) });
  }

  /** Adds the like unless it is active. `changed` is false when it was; idempotent under races. */
  async activate(target: LikeTarget, userId: string): Promise<{ like: LikeDocument; changed: boolean }> {
    for (;;) {
      const seen = await this.find(target.targetId, userId);
      if (seen?.active) {
        this.rows.recordUnchanged(seen);
        return { like: seen, changed: false };
      }
      const like = seen ? await this.revive(seen) : await this.insert(target, userId);
      if (like) return { like, changed: true };
    }
  }

  /** Takes the like back; returns null when there was none. */
  async deactivate(targetId: string, userId: string): Promise<LikeDocument | null> {
    for (;;) {
      const seen = await this.find(targetId, userId);
      if (!seen?.active) {
        if (seen) this.rows.recordUnchanged(seen);
        return null;
      }
      const like = await this.markDeleted(seen);
      if (like) return like;
    }
  }

  /** Newest first, older than `after` when given; of the same millisecond by the user's id, greatest first. */
  async listNewest(targetId: string, after: Position | undefined, limit: number): Promise<LikeDocument[]> {
    const newestFirst = { createdAt: -1, _id: -1 } as const;
    const active = { targetId, active: true };
    if (!after) return this.rows.find(active, { sort: newestFirst, limit });
    // Two reads, each in the order of the index: as one `$or` the embedded store could not do them.
    const createdAt = new Date(after.createdAt);
    const same = { ...active, createdAt, _id: { $lt: likeId(targetId, after.id) } };
    const sameTime = await this.rows.find(same, { sort: newestFirst, limit });
    if (sameTime.length === limit) return sameTime;
    const older = { ...active, createdAt: { $lt: createdAt } };
    const rest = await this.rows.find(older, { sort: newestFirst, limit: limit - sameTime.length });
    return [...sameTime, ...rest];
  }

  /** Counted from the index (targetId, active, …). */
  countByTarget(targetId: string): Promise<number> {
    return this.rows.count({ targetId, active: true });
  }

  /** The targets among `targetIds` that the user likes; every feed page may call this. */
  async likedAmong(userId: string, targetIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.rows.find(
      { _id: { $in: targetIds.map((targetId) => likeId(targetId, userId)) }, active: true },
      { projection: { targetId: 1 }, limit: targetIds.length },
    );
    return new Set(rows.map(({ targetId }) => targetId));
  }

  listActiveByUser(userId: string, limit: number): Promise<LikeDocument[]> {
    return this.rows.find({ userId, active: true }, { limit });
  }

  listActiveByPost(postId: string, limit: number): Promise<LikeDocument[]> {
    return this.rows.find({ postId, active: true }, { limit });
  }

  listActiveByTarget(targetId: string, limit: number): Promise<LikeDocument[]> {
    return this.rows.find({ targetId, active: true }, { limit });
  }

  /** Compare-and-set: returns the inactive row, or null when it has changed since `seen`. */
  markDeleted(seen: LikeDocument): Promise<LikeDocument | null> {
    return this.rows.change(seen, {
      set: { active: false, deletedAt: new Date(this.clock.now()), ...toCount() },
    });
  }

  private async insert(target: LikeTarget, userId: string): Promise<LikeDocument | null> {
    try {
      return await this.rows.insert({
        _id: likeId(target.targetId, userId),
        userId,
        ...target,
        active: true,
        createdAt: new Date(this.clock.now()),
        version: this.rows.firstVersion(),
        ...toCount(),
      });
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  private revive(seen: LikeDocument): Promise<LikeDocument | null> {
    const createdAt = new Date(this.clock.now());
    return this.rows.change(seen, { set: { active: true, createdAt, ...toCount() }, unset: ['deletedAt'] });
  }
}
