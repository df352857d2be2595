import { Injectable } from '@nestjs/common';
import type { Author, Permissions, Post, PostImage } from '@pulso/contracts/posts/v1/posts';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { Clock } from '@pulso/platform/time/clock';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import type { Access } from '../projections/viewer-access.js';
import type { CachedFields, Whole } from '../store/post.js';
import { WIRE_VISIBILITY } from '../store/visibility.js';
import type { CachedPost } from './cached-post.js';

// Shared by all responses, which only encode it.
const NO_PERMISSIONS: Permissions = { edit: false, delete: false, like: false, comment: false };
const READER_PERMISSIONS: Permissions = { edit: false, delete: false, like: true, comment: true };
const AUTHOR_PERMISSIONS: Permissions = { edit: true, delete: true, like: true, comment: true };

/** How long the addresses that expire open an image, at most (MEDIA-19). */
const ADDRESS_LIFE_MS = 300_000;
/** Shared views live no longer than this, so that their addresses always have most of their life before them. */
const RENEWAL_MS = 60_000;

// Shared by all posts without images.
const NO_IMAGES: PostImage[] = [];

/** The fields that also viewers without access see (POST-6). Each view has values of its own for all others. */
type ShownToAll = Pick<
  Whole<Post>,
  | 'id'
  | 'author'
  | 'imageCount'
  | 'hasVideo'
  | 'visibility'
  | 'likeCount'
  | 'likedByViewer'
  | 'commentCount'
  | 'createdAt'
  | 'updatedAt'
  | 'editedAt'
>;

/** Posts as viewers see them (POST-6); not for hidden posts. */
@Injectable()
export class PostViews {
  constructor(
    private readonly urls: UrlSigner,
    private readonly clock: Clock,
    private readonly hiddenPosts: KnownHiddenPosts,
  ) {}

  /**
   * Like `of`, but built once for all viewers who see the same. The object is shared until the post or its author
   * changes, or the addresses of its images grow old, so it must not be modified.
   */
  shared(
    cached: CachedPost,
    author: Author,
    access: Exclude<Access, 'hidden'>,
    viewer: { id: string; likes: boolean },
  ): Post {
    if (cached.post.images.length > 0) this.forgetOldAddresses(cached);
    const reader = access === 'locked' ? 0 : cached.post.authorId === viewer.id ? 1 : 2;
    const variant = reader * 2 + (viewer.likes ? 1 : 0);
    const known = cached.views[variant];
    if (known?.author === author) return known;
    const made = this.of(cached, author, access, viewer);
    cached.views[variant] = made;
    return made;
  }

  /** A post as one viewer sees it; null is a visitor. */
  of(
    cached: CachedPost,
    author: Author,
    access: Exclude<Access, 'hidden'>,
    viewer: { id: string; likes: boolean } | null,
  ): Post {
    const { post } = cached;
    const shown: ShownToAll = {
      id: post._id,
      author,
      imageCount: post.images.length,
      hasVideo: false,
      visibility: WIRE_VISIBILITY[post.visibility],
      likeCount: post.likeCount,
      likedByViewer: viewer?.likes ?? false,
      commentCount: post.commentCount,
      createdAt: post.createdAt,
      updatedAt: post.updatedAt,
      editedAt: post.editedAt,
    };
    return access === 'locked' ? lockedView(cached, shown) : this.openView(post, shown, viewer?.id);
  }

  private openView(post: CachedFields, shown: ShownToAll, viewerId: string | undefined): Whole<Post> {
    return {
      ...shown,
      content: post.content,
      truncated: false,
      video: undefined,
      images: post.images.length === 0 ? NO_IMAGES : this.images(post),
      locked: false,
      permissions: permissionsOf(post, viewerId),
    };
  }

  /** Images with their addresses, which are signed for the post's epoch. */
  images(post: Pick<CachedFields, '_id' | 'images' | 'mediaEpoch' | 'visibility'>): PostImage[] {
    return this.signed(post, this.isPrivate(post));
  }

  /** The same for a moderator, who sees hidden pictures as well: the addresses expire in any case. */
  imagesForModerators(post: Pick<CachedFields, 'images' | 'mediaEpoch'>): PostImage[] {
    return this.signed(post, true);
  }

  private signed(
    { images, mediaEpoch: epoch }: Pick<CachedFields, 'images' | 'mediaEpoch'>,
    expires: boolean,
  ): PostImage[] {
    const claims = expires ? { epoch, lifeMs: ADDRESS_LIFE_MS } : { epoch };
    return images.map((image) => ({
      ...image,
      url: this.urls.sign(`/media/${image.id}/full`, claims),
      thumbnail: this.urls.sign(`/media/${image.id}/thumbnail`, claims),
    }));
  }

  private forgetOldAddresses(cached: CachedPost): void {
    // 0: those of a public post, which may have been hidden before.
    const minute = this.isPrivate(cached.post) ? Math.floor(this.clock.now() / RENEWAL_MS) : 0;
    if (cached.signedIn === minute) return;
    cached.signedIn = minute;
    cached.views.length = 0;
  }

  /** Whether the images' addresses expire. Of a post that a moderator hides its author alone is given any (MEDIA-22). */
  private isPrivate({ _id, visibility }: Pick<CachedFields, '_id' | 'visibility'>): boolean {
    return visibility === 'subscribers' || this.hiddenPosts.isHidden(_id);
  }
}

function lockedView({ preview }: CachedPost, shown: ShownToAll): Whole<Post> {
  return {
    ...shown,
    content: preview.content,
    truncated: preview.truncated,
    video: undefined,
    images: NO_IMAGES,
    locked: true,
    permissions: NO_PERMISSIONS,
  };
}

function permissionsOf({ authorId }: CachedFields, viewerId: string | undefined): Permissions {
  if (viewerId === undefined) return NO_PERMISSIONS;
  return authorId === viewerId ? AUTHOR_PERMISSIONS : READER_PERMISSIONS;
}
