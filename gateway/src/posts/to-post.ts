import { apiTime, apiTimeOrNull } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import type { Image } from '../media/image.dto.js';
import { toImageMetadata } from '../media/to-image.js';
import { toVideo } from '../media/to-video.js';
import {
  type EditPostRequest,
  type Post as PostMessage,
  type PostImage,
  type PostPage as PostPageMessage,
  type PostVideo,
  type PublishPostRequest,
  type VideoChoice,
  VideoPlatform,
  Visibility,
} from '@pulso/contracts/posts/v1/posts';
import { required, toAuthor } from '../user-ref/to-user-ref.js';
import type { EditPostBody, NewPostBody, Post, PostPage } from './post.dto.js';

/** Each visibility of the API in the contract's form. */
const WIRE_VISIBILITY: Readonly<Record<Post['visibility'], Visibility>> = {
  public: Visibility.VISIBILITY_PUBLIC,
  subscribers: Visibility.VISIBILITY_SUBSCRIBERS,
};
const BY_WIRE = new Map(
  Object.entries(WIRE_VISIBILITY).map(([name, wire]) => [wire, name as Post['visibility']] as const),
);

/** What a body says of a new post, for posts. */
export function toPublishRequest({
  visibility,
  video,
  ...named
}: NewPostBody): Omit<PublishPostRequest, 'ticket' | 'idempotency'> {
  return {
    ...named,
    visibility: WIRE_VISIBILITY[visibility],
    video: video === null ? undefined : toVideoChoice(video),
  };
}

function toVideoChoice(video: NonNullable<NewPostBody['video']>): VideoChoice {
  return video.type === 'upload' ? { uploadId: video.id } : { url: video.url };
}

/** What a body changes of a post, for posts. A video can only be removed. */
export function toEditRequest({
  visibility,
  video,
  images,
  ...named
}: EditPostBody): Omit<EditPostRequest, 'id' | 'ticket'> {
  return {
    ...named,
    visibility: visibility && WIRE_VISIBILITY[visibility],
    images: images && { items: images },
    removeVideo: video === null,
  };
}

const NO_PERMISSIONS: Post['permissions'] = { edit: false, delete: false, like: false, comment: false };

export function toPost(post: PostMessage): Post {
  return {
    id: post.id,
    author: toAuthor(required(post.author, 'author')),
    content: post.content,
    truncated: post.truncated,
    images: post.images.map(toImage),
    imageCount: post.imageCount,
    video: post.video ? toPostVideo(post.video) : null,
    hasVideo: post.hasVideo,
    visibility: BY_WIRE.get(post.visibility) ?? 'public',
    likeCount: post.likeCount,
    likedByViewer: post.likedByViewer,
    commentCount: post.commentCount,
    createdAt: apiTime(post.createdAt),
    updatedAt: apiTime(post.updatedAt),
    editedAt: apiTimeOrNull(post.editedAt),
    ...(post.importedAt !== undefined && { importedAt: apiTime(post.importedAt) }),
    locked: post.locked,
    permissions: post.permissions ?? NO_PERMISSIONS,
  };
}

function toImage(image: PostImage): Image {
  const { id, url, thumbnail, alt, caption, blurhash } = image;
  return { id, url, thumbnail, alt, caption, blurhash, metadata: toImageMetadata(image) };
}

const PLATFORM = new Map<VideoPlatform, Extract<Post['video'], { type: 'url' }>['metadata']['platform']>([
  [VideoPlatform.VIDEO_PLATFORM_YOUTUBE, 'youtube'],
  [VideoPlatform.VIDEO_PLATFORM_VIMEO, 'vimeo'],
]);

function toPostVideo({ upload, link }: PostVideo): Post['video'] {
  if (upload) return toVideo(required(upload.facts, 'facts'), upload);
  const { url, originalUrl, platform, direct } = required(link, 'link');
  return {
    type: 'url',
    url,
    originalUrl,
    metadata: { platform: PLATFORM.get(platform) ?? 'external', direct },
  };
}

export function toPostPage({ items, nextCursor }: PostPageMessage): PostPage {
  return { items: items.map(toPost), nextCursor: apiCursor(nextCursor) };
}
