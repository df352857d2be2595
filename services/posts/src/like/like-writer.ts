import type { LikeResult } from '@pulso/contracts/posts/v1/posts';
import { likeTopic } from '@pulso/contracts/topics/posts';
import type { CountKeeper } from '../post/count-keeper.js';
import type { RowCounting } from '../post/row-counting.js';
import type { Viewers } from '../projection/viewers.js';
import type { Publication } from '../store/publication.js';
import type { LikeTarget } from './like.js';
import type { LikeRepository } from './like.repository.js';
import type { LikeDocument } from './like.schema.js';

/** Liking and taking a like back, the same for posts and comments: the row, then the count, then the viewer's counter. */
export class LikeWriter {
  constructor(
    private readonly likes: LikeRepository,
    private readonly counts: CountKeeper,
    private readonly rowCounting: RowCounting,
    private readonly viewers: Viewers,
    private readonly publication: Publication,
  ) {}

  /** Null when the target was deleted meanwhile. `likeCount` is what the target says now. */
  async like(target: LikeTarget, userId: string, likeCount: number): Promise<LikeResult | null> {
    const { like, changed } = await this.likes.activate(target, userId);
    // An earlier call may not have come to the end of it.
    if (!changed && !like.dirtyAt) return { liked: true, likeCount };
    const counted = await this.settle(like);
    if (counted) return { liked: true, likeCount: counted.likeCount };
    const taken = await this.likes.deactivate(target.targetId, userId);
    if (taken) await this.settle(taken);
    return null;
  }

  /** Takes a like back that is there; a missing one is no error. */
  async unlike(targetId: string, userId: string, likeCount: number): Promise<LikeResult> {
    const like = await this.likes.deactivate(targetId, userId);
    const counted = like && (await this.settle(like));
    return { liked: false, likeCount: counted?.likeCount ?? likeCount };
  }

  private async settle(like: LikeDocument): Promise<{ likeCount: number } | null> {
    const { targetId, onComment, userId } = like;
    const [counted] = await Promise.all([
      onComment ? this.counts.likesOfComment(targetId) : this.counts.likesOfPost(targetId),
      this.viewers.likesChanged(userId),
    ]);
    this.rowCounting.noteCounted(like);
    this.publication.committed(likeTopic, like._id, like.version);
    return counted;
  }
}
