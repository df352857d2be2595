import { Injectable } from '@nestjs/common';
import type { LikeResult, UnlikePostRequest } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { PostGuard, postNotFound } from '../post/post-guard.js';
import { LikeRepository } from '../store/like.repository.js';
import { PostRepository } from '../store/post.repository.js';
import { LikeWriter } from './like-writer.js';

/** `DELETE /api/posts/{id}/like`; idempotent. A like can be taken back even if the post is now locked or hidden. */
@Injectable()
export class UnlikePost {
  constructor(
    private readonly posts: PostRepository,
    private readonly likes: LikeRepository,
    private readonly guard: PostGuard,
    private readonly writer: LikeWriter,
  ) {}

  async execute({ postId }: UnlikePostRequest): Promise<LikeResult> {
    const { userId } = requireCaller();
    if (!isId(postId)) throw postNotFound();
    const own = await this.likes.find(postId, userId);
    const post = own?.active ? await this.posts.find(postId) : (await this.guard.loadVisible(postId)).post;
    if (!post) throw postNotFound();
    return this.writer.unlike(postId, userId, post.likeCount);
  }
}
