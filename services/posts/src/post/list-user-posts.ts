import { Injectable } from '@nestjs/common';
import type { ListUserPostsRequest, PostPage } from '@pulso/contracts/posts/v1/posts';
import { PAGE_SIZE } from '@pulso/contracts/limits';
import { userTopic } from '@pulso/contracts/topics/identity';
import { awaitsState } from '@pulso/platform/context/request-context';
import { unavailable } from '@pulso/platform/errors/domain-error';
import { userNotFound } from '@pulso/platform/errors/user-errors';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { pageSize } from '@pulso/platform/paging/page-size';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import { KnownUsers } from '../projections/known-users.js';
import { type Access, accessTo } from '../projections/viewer-access.js';
import type { CachedFields } from '../store/post.js';
import { PostRepository } from '../store/post.repository.js';
import { ViewerLikes } from '../store/viewer-likes.js';
import { CachedPost, PAGE_BYTES } from './cached-post.js';
import { ListPager } from './list-pager.js';
import { PostGuard, type Reader } from './post-guard.js';
import { PostViews } from './post-view.js';

interface VisiblePost {
  cached: CachedPost;
  access: Exclude<Access, 'hidden'>;
}

/** The usual page is one read; a page that its bytes end has not read a hundred posts of the longest texts. */
const READ_AT_ONCE = PAGE_SIZE.usual + 1;

const EMPTY_PAGE: PostPage = { items: [], nextCursor: '' };

/** `GET /api/users/{id}/posts`, newest first, of both visibilities (POST-11); empty when the caller has blocked the user. */
@Injectable()
export class ListUserPosts {
  constructor(
    private readonly posts: PostRepository,
    private readonly guard: PostGuard,
    private readonly users: KnownUsers,
    private readonly hiddenPosts: KnownHiddenPosts,
    private readonly likes: ViewerLikes,
    private readonly views: PostViews,
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
    if (!author && (userId === viewerId || awaitsState(userTopic, userId))) throw unavailable();
    if (author?.status !== 'active' || reader?.access.blockedBy.has(userId)) {
      throw userNotFound();
    }
    if (reader?.access.blocked.has(userId)) return EMPTY_PAGE;

    // A hidden post is there for its author alone (PEOPLE-37).
    const hidden = userId === viewerId ? [] : this.hiddenPosts.byAuthors([userId]);
    const { page, more } = await this.read(userId, hidden, before, size);
    const shown = page.flatMap((cached): VisiblePost[] => {
      const access = this.accessTo(cached.post, reader);
      // Hidden since the query: the page is one shorter (HTTP-5).
      return access === 'hidden' ? [] : [{ cached, access }];
    });
    const ids = shown.map(({ cached }) => cached.post._id);
    const liked = reader && (await this.likes.among(reader.viewer, ids));
    return {
      items: shown.map(({ cached, access }) => {
        const viewer = reader && { id: reader.viewer.id, likes: liked!.has(cached.post._id) };
        return this.views.of(cached, author.author, access, viewer);
      }),
      nextCursor: this.pager.next(list, viewerId, more ? page.at(-1)!.post._id : undefined),
    };
  }

  /** The author's posts before `before`, as many as a page takes; `more`: there are older ones. */
  private async read(authorId: string, hidden: readonly string[], before: string | undefined, limit: number) {
    const page: CachedPost[] = [];
    let bytes = 0;
    for (;;) {
      const wanted = Math.min(limit + 1 - page.length, READ_AT_ONCE);
      const found = await this.posts.listByAuthor(authorId, hidden, page.at(-1)?.post._id ?? before, wanted);
      for (const post of found) {
        if (page.length === limit || bytes > PAGE_BYTES) return { page, more: true };
        const cached = CachedPost.of(post);
        page.push(cached);
        bytes += cached.size;
      }
      if (found.length < wanted) return { page, more: false };
    }
  }

  private accessTo(post: CachedFields, reader: Reader | null): Access {
    const isHidden = this.hiddenPosts.isHidden(post._id);
    return accessTo(post, reader?.access ?? null, this.clock.now(), isHidden);
  }
}
