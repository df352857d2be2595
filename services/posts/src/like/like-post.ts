import { Injectable } from '@nestjs/common';
import type { LikePostRequest, LikeResult } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { PostGuard, postNotFound } from '../post/post-guard.js';
import { requireOpen } from '../projections/viewer-access.js';
import { LikeWriter } from './like-writer.js';

/** `PUT /api/posts/{id}/like`; idempotent. Not allowed on a post that is locked for the caller (POST-8). */
@Injectable()
export class LikePost {
  constructor(
    private readonly guard: PostGuard,
    private readonly writer: LikeWriter,
  ) {}

  async execute({ postId }: LikePostRequest): Promise<LikeResult> {
    const { userId } = requireCaller();
    const { post, access } = await this.guard.loadVisible(postId);
    requireOpen(access);
    const target = { targetId: postId, postId, onComment: false, targetAuthorId: post.authorId };
    const result = await this.writer.like(target, userId, post.likeCount);
    if (!result) throw postNotFound();
    return result;
  }
}
