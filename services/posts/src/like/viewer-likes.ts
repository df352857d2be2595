import { Injectable, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '../access/viewers.js';
import { LikeRepository } from './like.repository.js';

interface Remembered {
  readonly likeVersion: number;
  readonly byTarget: Map<string, boolean>;
}

/** Answers of all remembered viewers together, some 100 bytes each; a viewer counts as a few. */
const REMEMBERED_TARGETS = 500_000;
const VIEWER_TARGETS = 20;
/** A viewer who has scrolled past so many posts starts anew. */
const TARGETS_PER_VIEWER = 2_000;

/** Which posts and comments a viewer likes, remembered per `likeVersion` (see `Viewers` for why that is exact). */
@Injectable()
export class ViewerLikes {
  private readonly remembered: LRUCache<string, Remembered>;

  constructor(
    private readonly likes: LikeRepository,
    @Optional() private readonly maxTargets = REMEMBERED_TARGETS,
  ) {
    this.remembered = new LRUCache({ maxSize: maxTargets });
  }

  /** Of the given targets, those the viewer likes; a promise, of one query, only when some are not remembered. */
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

  /** Forgets a viewer: their likes have changed, whether or not the counter says so yet. */
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
    // The cache takes a size with a new value only.
    this.remembered.delete(viewerId);
    this.keep(viewerId, entry);
  }

  private keep(viewerId: string, entry: Remembered): void {
    const size = Math.min(VIEWER_TARGETS + entry.byTarget.size, this.maxTargets);
    this.remembered.set(viewerId, entry, { size });
  }
}
