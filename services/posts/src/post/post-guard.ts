import { Injectable } from '@nestjs/common';
import { viewerId } from '@pulso/platform/context/request-context';
import { notFound, unavailable } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import { type KnownUser, KnownUsers } from '../projections/known-users.js';
import { type ViewerAccess, accessTo } from '../projections/viewer-access.js';
import { ViewerGraphs } from '../projections/viewer-graphs.js';
import { PostRepository } from '../store/post.repository.js';
import type { PostDocument } from '../store/post.schema.js';
import { type Viewer, Viewers } from '../store/viewers.js';

/** The caller with the data that the visibility rules need. */
export interface Reader {
  readonly viewer: Viewer;
  readonly access: ViewerAccess;
}

export interface VisiblePost {
  readonly post: PostDocument;
  readonly author: KnownUser;
  readonly access: 'open' | 'locked';
  /** Null for a visitor. */
  readonly reader: Reader | null;
}

/** The access check of all use cases that start from one post. */
@Injectable()
export class PostGuard {
  constructor(
    private readonly posts: PostRepository,
    private readonly users: KnownUsers,
    private readonly hiddenPosts: KnownHiddenPosts,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
    private readonly clock: Clock,
  ) {}

  /** The caller with their current graph; null for a visitor. */
  async reader(): Promise<Reader | null> {
    const id = viewerId();
    if (id === null) return null;
    const viewer = await this.viewers.read(id);
    return { viewer, access: await this.graphs.access(viewer) };
  }

  /** The post, if the caller may see it; otherwise throws `not-found`, also for malformed ids (POST-7). */
  async loadVisible(postId: string): Promise<VisiblePost> {
    if (!isId(postId)) throw postNotFound();
    const [post, reader] = await Promise.all([this.posts.find(postId), this.reader()]);
    if (!post) throw postNotFound();
    const access = accessTo(
      post,
      reader?.access ?? null,
      this.clock.now(),
      this.hiddenPosts.isHidden(postId),
    );
    if (access === 'hidden') throw postNotFound();
    const author = await this.users.find(post.authorId);
    if (!author) throw unavailable();
    if (author.status !== 'active') throw postNotFound();
    return { post, author, access, reader };
  }
}

export function postNotFound() {
  return notFound('Post not found');
}
