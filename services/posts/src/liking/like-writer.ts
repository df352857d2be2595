import { Injectable } from '@nestjs/common';
import type { LikeResult } from '@pulso/contracts/posts/v1/posts';
import { RowCounting } from '../counts/row-counting.js';
import type { LikeTarget } from '../like/like.js';
import { LikeRepository } from '../like/like.repository.js';

/** Liking and taking a like back, the same for posts and comments: the row, then the count, then the viewer's counter. */
@Injectable()
export class LikeWriter {
  constructor(
    private readonly likes: LikeRepository,
    private readonly rowCounting: RowCounting,
  ) {}

  /** Null when the target was deleted meanwhile. `likeCount` is what the target says now. */
  async like(target: LikeTarget, userId: string, likeCount: number): Promise<LikeResult | null> {
    const { like, changed } = await this.likes.activate(target, userId);
    // An earlier call may not have come to the end of it.
    if (!changed && !like.dirtyAt) return { liked: true, likeCount };
    const counted = await this.rowCounting.countLike(like);
    if (counted) return { liked: true, likeCount: counted.likeCount };
    const taken = await this.likes.deactivate(target.targetId, userId);
    if (taken) await this.rowCounting.countLike(taken);
    return null;
  }

  /** Takes a like back that is there; a missing one is no error. */
  async unlike(targetId: string, userId: string, likeCount: number): Promise<LikeResult> {
    const like = await this.likes.deactivate(targetId, userId);
    const counted = like && (await this.rowCounting.countLike(like));
    return { liked: false, likeCount: counted?.likeCount ?? likeCount };
  }
}
