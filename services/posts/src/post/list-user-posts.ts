import { Injectable } from '@nestjs/common';
import type { ListUserPostsRequest, PostPage } from '@pulso/contracts/posts/v1/posts';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { pageSize } from '@pulso/platform/paging/page-size';
import { KnownUsers } from '../access/known-users.js';
import { type Access, accessTo } from '../access/visibility.js';
import { ViewerLikes } from '../like/viewer-likes.js';
import { ListPager } from '../paging/list-pager.js';
import { KnownHiddenPosts } from './known-hidden-posts.js';
import { PostBody } from './post.js';
import { PostGuard, type Reader } from './post-guard.js';
import { viewPost } from './post-view.js';
import { PostRepository } from './post.repository.js';
import type { PostDocument } from './post.schema.js';

interface SeenListPost {
  post: PostDocument;
  access: Exclude<Access, 'hidden'>;
}

const NO_POSTS: PostPage = { items: [], nextCursor: '' };

/** `GET /api/users/{id}/posts`, newest first, of both visibilities; empty when the caller has blocked the user. */
@Injectable()
export class ListUserPosts {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly hiddenPosts: KnownHiddenPosts,
    private readonly likes: ViewerLikes,
    private readonly pager: ListPager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, limit, cursor }: ListUserPostsRequest): Promise<PostPage> {
    const reader = await this.guard.reader();
    const viewerId = reader?.viewer.id ?? null;
    const size = pageSize(limit);
    const list = `posts:${userId}`;
    const before = this.pager.position(list, viewerId, cursor);
    const author = isId(userId) ? await this.users.find(userId) : undefined;
    if (!author && userId === viewerId) throw unavailable();
    if (author?.status !== 'active' || reader?.access.blockedBy.has(userId)) {
      throw userNotFound();
    }
    if (reader?.access.blocked.has(userId)) return NO_POSTS;

    const found = await this.visible(userId, before, size + 1, reader);
    const shown = found.slice(0, size);
    const ids = shown.map(({ post }) => post._id);
    const liked = reader && (await this.likes.among(reader.viewer, ids));
    return {
      items: shown.map(({ post, access }) => {
        const viewer = reader && { id: reader.viewer.id, likes: liked!.has(post._id) };
        return viewPost(PostBody.of(post), author.author, access, viewer);
      }),
      nextCursor: this.pager.next(list, viewerId, found.length > size ? ids.at(-1) : undefined),
    };
  }

  /** The next `wanted` posts that the reader may see, newest first. */
  private async visible(
    authorId: string,
    before: string | undefined,
    wanted: number,
    reader: Reader | null,
  ): Promise<SeenListPost[]> {
    const visible: SeenListPost[] = [];
    for (let from = before; ;) {
      const limit = wanted - visible.length;
      const page = await this.posts.listByAuthor(authorId, from, limit);
      for (const post of page) {
        const access = this.accessTo(post, reader);
        if (access !== 'hidden') visible.push({ post, access });
      }
      if (page.length < limit || visible.length === wanted) return visible;
      from = page.at(-1)!._id;
    }
  }

  private accessTo(post: PostDocument, reader: Reader | null): Access {
    const isHidden = this.hiddenPosts.isHidden(post._id);
    return accessTo(post, reader?.access ?? null, this.clock.now(), isHidden);
  }
}
