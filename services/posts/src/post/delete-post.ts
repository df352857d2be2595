import { Injectable } from '@nestjs/common';
import type { DeletePostRequest, DeletePostResponse } from '@pulso/contracts/posts/v1/posts';
import { requireCaller } from '@pulso/platform/context/request-context';
import { permissionDenied } from '@pulso/platform/errors/domain-error';
import { PostRepository } from '../store/post.repository.js';
import { PostGuard } from './post-guard.js';

/**
 * `DELETE /api/posts/{id}`, by its author; a second time it is not found (HTTP-10). The post is gone at once; its comments
 * and likes are marked in the background.
 */
@Injectable()
export class DeletePost {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
  ) {}

  async execute({ id }: DeletePostRequest): Promise<DeletePostResponse> {
    const { userId } = requireCaller();
    for (;;) {
      const { post } = await this.guard.loadVisible(id);
      if (post.authorId !== userId) throw permissionDenied('Only the author can delete a post.');
      if (await this.posts.markDeleted(post)) return {};
    }
  }
}
