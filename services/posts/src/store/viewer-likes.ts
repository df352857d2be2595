import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LikeRepository } from './like.repository.js';
import type { Viewer } from './viewers.js';

interface Remembered {
  readonly likeVersion: number;
  readonly byTarget: Map<string, boolean>;
}

/** The limit over all cached viewers, about 100 bytes for each target; a viewer counts as a few targets. */
const REMEMBERED_TARGETS = 500_000;
const VIEWER_TARGETS = 20;
/** After this many posts, a viewer's cache is started anew. */
const TARGETS_PER_VIEWER = 2_000;

/**
 * Cache of the posts and comments that a viewer likes, valid for one `likeVersion` (see `Viewers` for why that is
 * exact).
 */
@Injectable()
export class ViewerLikes {
  private readonly remembered: LRUCache<string, Remembered>;

  constructor(
    private readonly likes: LikeRepository,
    @Optional() private readonly maxTargets = REMEMBERED_TARGETS,
  ) {
    this.remembered = new LRUCache({ maxSize: maxTargets });
  }

  /** The given targets that the viewer likes; a promise, of one query, only when some are not cached. */
  among(viewer: Viewer, targetIds: readonly string[]): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    const entry = this.entryOf(viewer);
    const { byTarget } = entry;
    const liked = new Set<string>();
    const missing: string[] = [];
    for (const targetId of targetIds) {
      const known = byTarget.get(targetId);
      if (known === undefined) missing.push(targetId);
      else if (known) liked.add(targetId);
    }
    return missing.length === 0 ? liked : this.load(viewer, entry, missing, liked);
  }

  private async load(
    viewer: Viewer,
    entry: Remembered,
    missing: readonly string[],
    liked: Set<string>,
  ): Promise<ReadonlySet<string>> {
    const { byTarget } = entry;
    const found = await this.likes.likedAmong(viewer.id, missing);
    if (byTarget.size + missing.length > TARGETS_PER_VIEWER) byTarget.clear();
    for (const targetId of missing) {
      byTarget.set(targetId, found.has(targetId));
      if (found.has(targetId)) liked.add(targetId);
    }
    this.weigh(viewer.id, entry);
    return liked;
  }

  /** Drops a viewer whose likes have changed; their counter may not have grown yet. */
  forget(viewerId: string): void {
    this.remembered.delete(viewerId);
  }

  private entryOf({ id, likeVersion }: Viewer): Remembered {
    const known = this.remembered.get(id);
    if (known && known.likeVersion >= likeVersion) return known;
    const entry: Remembered = { likeVersion, byTarget: new Map() };
    this.keep(id, entry);
    return entry;
  }

  private weigh(viewerId: string, entry: Remembered): void {
    if (this.remembered.peek(viewerId) !== entry) return;
    // The cache recalculates the size only for a new entry.
    this.remembered.delete(viewerId);
    this.keep(viewerId, entry);
  }

  private keep(viewerId: string, entry: Remembered): void {
    const size = Math.min(VIEWER_TARGETS + entry.byTarget.size, this.maxTargets);
    this.remembered.set(viewerId, entry, { size });
  }
}
