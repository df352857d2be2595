import { Injectable } from '@nestjs/common';
import type { ListPublicPostsRequest, PublicPostPage } from '@pulso/contracts/posts/v1/posts';
import { pageSize } from '@pulso/platform/paging/page-size';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import { KnownUsers } from '../projections/known-users.js';
import { PostRepository } from '../store/post.repository.js';
import { ListPager } from './list-pager.js';

const LIST = 'public-posts';

/** The newest posts that everybody may read in full, for the sitemap (HTTP-39): the same for all callers. */
@Injectable()
export class ListPublicPosts {
  constructor(
    private readonly posts: PostRepository,
    private readonly users: KnownUsers,
    private readonly hiddenPosts: KnownHiddenPosts,
    private readonly pager: ListPager,
  ) {}

  async execute({ limit, cursor }: ListPublicPostsRequest): Promise<PublicPostPage> {
    const size = pageSize(limit);
    const read = await this.posts.listNewest(this.pager.position(LIST, null, cursor), size);
    const open = read.filter(
      ({ _id, live, visibility }) => live && visibility === 'public' && !this.hiddenPosts.isHidden(_id),
    );
    const authors = await this.users.get(open.map(({ authorId }) => authorId));
    return {
      items: open
        .filter(({ authorId }) => authors.get(authorId)?.status === 'active')
        .map(({ _id, createdAt, editedAt }) => ({ id: _id, changedAt: (editedAt ?? createdAt).getTime() })),
      nextCursor: this.pager.next(LIST, null, read.length === size ? read.at(-1)!._id : undefined),
    };
  }
}
