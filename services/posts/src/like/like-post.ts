import type { LikePostRequest, LikeResult } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { type PostGuard, postNotFound } from '../post/post-guard.js';
import { requireOpen } from '../post/visibility.js';
import { postTarget } from './like.js';
import type { LikeWriter } from './like-writer.js';

/** `PUT /api/posts/{id}/like`; idempotent. Not on a post that is locked for the caller (decisions 3). */
export class LikePost {
  constructor(
    private readonly guard: PostGuard,
    private readonly writer: LikeWriter,
  ) {}

  async execute({ postId }: LikePostRequest): Promise<LikeResult> {
    const { userId } = requireCaller();
    const { post, access } = await this.guard.see(postId);
    requireOpen(access);
    const result = await this.writer.like(postTarget(post), userId, post.likeCount);
    if (!result) throw postNotFound();
    return result;
  }
}
