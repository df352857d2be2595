import { Injectable } from '@nestjs/common';
import type { LikeResult } from '@pulso/contracts/posts/v1/posts';
import { isUncounted } from '../store/counted-fields.js';
import type { LikeTarget } from '../store/like.js';
import { LikeRepository } from '../store/like.repository.js';
import { RowCounting } from '../store/row-counting.js';

/** Adds and takes back likes of posts and comments: first the row, then the count, then the viewer's counter. */
@Injectable()
export class LikeWriter {
  constructor(
    private readonly likes: LikeRepository,
    private readonly rowCounting: RowCounting,
  ) {}

  /** Returns null when the target was deleted concurrently. `likeCount` is the count known before. */
  async like(target: LikeTarget, userId: string, likeCount: number): Promise<LikeResult | null> {
    const { like, changed } = await this.likes.activate(target, userId);
    // An earlier call may have been interrupted before it finished.
    if (!changed && !isUncounted(like)) return { liked: true, likeCount };
    const counted = await this.rowCounting.countLike(like);
    if (counted) return { liked: true, likeCount: counted.likeCount };
    const taken = await this.likes.deactivate(target.targetId, userId);
    if (taken) await this.rowCounting.countLike(taken);
    return null;
  }

  /** Takes a like back; a missing one is not an error. */
  async unlike(targetId: string, userId: string, likeCount: number): Promise<LikeResult> {
    const like = await this.likes.deactivate(targetId, userId);
    const counted = like && (await this.rowCounting.countLike(like));
    return { liked: false, likeCount: counted?.likeCount ?? likeCount };
  }
}
