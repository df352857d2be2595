import { MEDIA_ID_MAX, POST_IMAGES_MAX, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { readWebUrl } from '@pulso/platform/text/web-url';
import { z } from 'zod';
import { list, refuse, text } from '../validation/fields.js';
import { imageSchema } from '../media/image.dto.js';
import { uploadedVideo } from '../media/video.dto.js';
import { answer, body } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { authorSchema, count, id, importedAt, time } from '../user-ref/user-ref.dto.js';

const visibility = z.enum(['public', 'subscribers']);

const mediaId = z.string().min(1).max(MEDIA_ID_MAX);

const imageInput = z.strictObject({
  id: mediaId,
  alt: text(TEXT_LIMITS.alt).default(''),
  caption: text(TEXT_LIMITS.caption).default(''),
});

/** An upload or a link (POST-26). */
const videoInput = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('upload'), id: mediaId }),
    z.strictObject({
      type: z.literal('url'),
      url: z
        .string()
        .meta({ format: 'uri', maxLength: TEXT_LIMITS.url.max })
        .transform(
          (input, context) =>
            readWebUrl(input) ?? refuse(context, 'invalid-url', VALIDATION_MESSAGES.videoUrl),
        ),
    }),
  ],
  'Must be an upload or a URL',
);

const images = (tooMany: Parameters<typeof list>[1]) => list(imageInput, tooMany, POST_IMAGES_MAX);

/** What an author writes. */
export const newPostFields = {
  content: text(TEXT_LIMITS.post).default(''),
  visibility: visibility.default('public'),
  images: images(VALIDATION_MESSAGES.tooManyImages).default([]),
  video: videoInput.nullable().default(null),
};

/** Posts judges what goes together: whether there is anything, each image once, and images or a video (POST-1, POST-2). */
export class NewPostBody extends body('NewPost', z.strictObject(newPostFields), {
  content: 'First session done!',
  visibility: 'public',
}) {}

export class EditPostBody extends body(
  'EditPost',
  z.strictObject({
    content: text(TEXT_LIMITS.post).optional(),
    visibility: visibility.optional(),
    images: images(VALIDATION_MESSAGES.tooManyImagesInEdit).optional(),
    video: z.null().optional().meta({ description: 'null removes the video; it cannot be replaced' }),
  }),
  { content: 'First session done, second tomorrow!' },
) {}

const videoSchema = answer(
  'Video',
  z.discriminatedUnion('type', [
    uploadedVideo,
    z.object({
      type: z.literal('url'),
      url: z.string(),
      originalUrl: z.string(),
      metadata: z.object({ platform: z.enum(['youtube', 'vimeo', 'external']), direct: z.boolean() }),
    }),
  ]),
  {
    type: 'url',
    url: 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE',
    originalUrl: 'https://youtu.be/M7lc1UVf-VE',
    metadata: { platform: 'youtube', direct: false },
  },
);

const examplePost = {
  id: EXAMPLE.postId,
  author: {
    id: EXAMPLE.coachId,
    name: 'Ana Torres',
    username: 'ana-torres',
    profileImage: '/api/avatars/A.svg',
    isCoach: true,
    subscriptionPrice: 400,
    subscriptionCurrency: 'MXN' as const,
  },
  content: 'First session done!',
  truncated: false,
  images: [],
  imageCount: 0,
  video: null,
  hasVideo: false,
  visibility: 'public' as const,
  likeCount: 3,
  likedByViewer: true,
  commentCount: 1,
  createdAt: EXAMPLE.time,
  updatedAt: EXAMPLE.later,
  editedAt: null,
  locked: false,
  permissions: { edit: false, delete: false, like: true, comment: true },
};

export const postSchema = answer(
  'Post',
  z.object({
    id,
    author: authorSchema,
    content: z
      .string()
      .meta({ description: 'When locked, at most the first 100 graphemes and never more than half of them' }),
    truncated: z.boolean(),
    images: z.array(imageSchema),
    imageCount: count,
    video: videoSchema.nullable(),
    hasVideo: z.boolean(),
    visibility,
    likeCount: count,
    likedByViewer: z.boolean(),
    commentCount: count,
    createdAt: time,
    updatedAt: time,
    editedAt: time.nullable(),
    importedAt: importedAt.optional(),
    locked: z.boolean(),
    permissions: z.object({
      edit: z.boolean(),
      delete: z.boolean(),
      like: z.boolean(),
      comment: z.boolean(),
    }),
  }),
  examplePost,
);

export const postPageSchema = answer(
  'PostPage',
  z.object({ items: z.array(postSchema), nextCursor: z.string().nullable() }),
  { items: [examplePost], nextCursor: null },
);

export const newerPostsSchema = answer('NewerPosts', z.object({ count: count.max(20) }), { count: 3 });

export const likeStateSchema = answer('LikeState', z.object({ liked: z.boolean(), likeCount: count }), {
  liked: true,
  likeCount: 4,
});

export type Post = z.output<typeof postSchema>;
export type PostPage = z.output<typeof postPageSchema>;
export type NewerPosts = z.output<typeof newerPostsSchema>;
export type LikeState = z.output<typeof likeStateSchema>;
