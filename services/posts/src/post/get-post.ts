import { Injectable } from '@nestjs/common';
import type { GetPostRequest, Post } from '@pulso/contracts/posts/v1/posts';
import { ViewerLikes } from '../store/viewer-likes.js';
import { CachedPost } from './cached-post.js';
import { PostGuard } from './post-guard.js';
import { PostViews } from './post-view.js';

/** `GET /api/posts/{id}`: for everyone it isn't hidden from; locked for viewers without access. */
@Injectable()
export class GetPost {
  constructor(
    private readonly guard: PostGuard,
    private readonly likes: ViewerLikes,
    private readonly views: PostViews,
  ) {}

  async execute({ id }: GetPostRequest): Promise<Post> {
    const { post, author, access, reader } = await this.guard.loadVisible(id);
    const liked = reader ? await this.likes.among(reader.viewer, [id]) : undefined;
    const viewer = reader && { id: reader.viewer.id, likes: liked!.has(id) };
    return this.views.of(CachedPost.of(post), author.author, access, viewer);
  }
}
