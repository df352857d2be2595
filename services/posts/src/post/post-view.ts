import { Injectable } from '@nestjs/common';
import { VideoStatus } from '@pulso/contracts/media/v1/media';
import {
  type Author,
  type Permissions,
  type Post,
  type PostImage,
  type PostVideo,
  VideoPlatform,
} from '@pulso/contracts/posts/v1/posts';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { Clock } from '@pulso/platform/time/clock';
import { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import type { Access } from '../projections/viewer-access.js';
import { hasVideo } from '../store/attached-video.js';
import type { CachedFields, Whole } from '../store/post.js';
import type { JudgedLink } from '../store/video-link.js';
import { WIRE_VISIBILITY } from '../store/visibility.js';
import type { CachedPost } from './cached-post.js';

// Shared by all responses, which only encode it.
const NO_PERMISSIONS: Permissions = { edit: false, delete: false, like: false, comment: false };
const READER_PERMISSIONS: Permissions = { edit: false, delete: false, like: true, comment: true };
const AUTHOR_PERMISSIONS: Permissions = { edit: true, delete: true, like: true, comment: true };

/** How long the addresses that expire open an image, at most; a video for twice its length, if that is more (MEDIA-19). */
const ADDRESS_LIFE_MS = 300_000;
const LENGTHS_OF_A_VIDEO = 2;
/** Shared views live no longer than this, so that their addresses always have most of their life before them. */
const RENEWAL_MS = 60_000;

// Shared by all posts without images.
const NO_IMAGES: PostImage[] = [];

const WIRE_PLATFORM: Readonly<Record<JudgedLink['platform'], VideoPlatform>> = {
  youtube: VideoPlatform.VIDEO_PLATFORM_YOUTUBE,
  vimeo: VideoPlatform.VIDEO_PLATFORM_VIMEO,
  external: VideoPlatform.VIDEO_PLATFORM_EXTERNAL,
};

/** What the addresses of a post's media depend on, and whose they are. */
type WithMedia = Pick<
  CachedFields,
  '_id' | 'authorId' | 'images' | 'videoFacts' | 'videoLink' | 'mediaEpoch' | 'visibility'
>;

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
  | 'importedAt'
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
   * changes, or the addresses of its media grow old, so it must not be modified.
   */
  shared(
    cached: CachedPost,
    author: Author,
    access: Exclude<Access, 'hidden'>,
    viewer: { id: string; likes: boolean },
  ): Post {
    if (cached.post.images.length > 0 || cached.post.videoFacts) this.forgetOldAddresses(cached);
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
      hasVideo: hasVideo(post),
      visibility: WIRE_VISIBILITY[post.visibility],
      likeCount: post.likeCount,
      likedByViewer: viewer?.likes ?? false,
      commentCount: post.commentCount,
      createdAt: post.createdAt,
      updatedAt: post.updatedAt,
      editedAt: post.editedAt,
      importedAt: post.importedAt,
    };
    return access === 'locked' ? lockedView(cached, shown) : this.openView(post, shown, viewer?.id);
  }

  private openView(post: CachedFields, shown: ShownToAll, viewerId: string | undefined): Whole<Post> {
    return {
      ...shown,
      content: post.content,
      truncated: false,
      images: post.images.length === 0 ? NO_IMAGES : this.images(post),
      video: hasVideo(post) ? this.video(post, viewerId) : undefined,
      locked: false,
      permissions: permissionsOf(post, viewerId),
    };
  }

  /** Images with their addresses, which are signed for the post's epoch. */
  images(post: WithMedia): PostImage[] {
    return this.signed(post, this.isPrivate(post));
  }

  /** The video of a post, as `viewerId` sees it; undefined if it has none. */
  video(post: WithMedia, viewerId: string | undefined): PostVideo | undefined {
    return this.signedVideo(post, this.isPrivate(post), viewerId === post.authorId);
  }

  /** The same for a moderator, who sees hidden pictures as well: the addresses expire in any case. */
  imagesForModerators(post: Pick<CachedFields, 'images' | 'mediaEpoch'>): PostImage[] {
    return this.signed(post, true);
  }

  videoForModerators(
    post: Pick<CachedFields, 'videoFacts' | 'videoLink' | 'mediaEpoch'>,
  ): PostVideo | undefined {
    return this.signedVideo(post, true, true);
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

  /** Why a video has failed is for its author. Only a video that is ready has files. */
  private signedVideo(
    {
      videoFacts,
      videoLink,
      mediaEpoch: epoch,
    }: Pick<CachedFields, 'videoFacts' | 'videoLink' | 'mediaEpoch'>,
    expires: boolean,
    isAuthor: boolean,
  ): PostVideo | undefined {
    if (videoLink) return { link: { ...videoLink, platform: WIRE_PLATFORM[videoLink.platform] } };
    if (!videoFacts) return undefined;
    const facts = isAuthor ? videoFacts : { ...videoFacts, problem: '' };
    const { id, status, durationMs } = facts;
    if (status !== VideoStatus.VIDEO_STATUS_READY) return { upload: { facts, url: '', thumbnail: '' } };
    const lifeMs = Math.max(ADDRESS_LIFE_MS, LENGTHS_OF_A_VIDEO * durationMs);
    const claims = expires ? { epoch, lifeMs } : { epoch };
    const addressOf = (variant: string) => this.urls.sign(`/media/${id}/${variant}`, claims);
    return { upload: { facts, url: addressOf('video'), thumbnail: addressOf('thumbnail') } };
  }

  private forgetOldAddresses(cached: CachedPost): void {
    // 0: those of a public post, which may have been hidden before.
    const minute = this.isPrivate(cached.post) ? Math.floor(this.clock.now() / RENEWAL_MS) : 0;
    if (cached.signedIn === minute) return;
    cached.signedIn = minute;
    cached.views.length = 0;
  }

  /** Whether the addresses of a post's media expire. Of a post that a moderator hides its author alone is given any (MEDIA-22). */
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
