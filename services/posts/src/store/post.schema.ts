import { postTopic } from '@pulso/contracts/topics/posts';
import {
  IDEMPOTENCY_FIELDS,
  IDEMPOTENCY_INDEXES,
  IDEMPOTENCY_NAMES,
  type IdempotencyFields,
} from '@pulso/platform/mongo/idempotent-insert';
import { MONGO_OUTBOX_INDEXES } from '@pulso/platform/mongo/mongo-outbox';
import { OWNED_FIELDS, type OwnedDocument, ownedCollection } from '@pulso/platform/mongo/owned-collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import type { VideoFacts } from '@pulso/contracts/media/v1/media';
import { Schema } from 'mongoose';
import type { AttachedImage } from './attached-image.js';
import type { VideoFields } from './attached-video.js';
import { HIDING_FIELDS, type HidingFields, toHiding } from './hiding.js';
import { FIRST_MEDIA_EPOCH } from './post.js';
import type { JudgedLink } from './video-link.js';
import type { Visibility } from './visibility.js';

/** The fields that the author writes, and may edit, besides images and video. */
export interface PostDraft {
  content: string;
  visibility: Visibility;
}

export interface PostDocument extends PostDraft, OwnedDocument, IdempotencyFields, HidingFields, VideoFields {
  /** UUIDv7 of `createdAt`. */
  _id: string;
  authorId: string;
  /** See `Mentions`; none in posts from before there were mentions. */
  mentionedIds?: string[];
  /** In the order in which they are shown; none in posts without images. */
  images?: AttachedImage[];
  /** Rises with every change of visibility; none in posts from before there was media: 1 (MEDIA-19). */
  mediaEpoch?: number;
  /** Counted from the rows (`CountKeeper`). */
  likeCount: number;
  commentCount: number;
  /** Those of them that the author has imported; only of an imported post. */
  importedComments?: number;
  createdAt: Date;
  updatedAt: Date;
  editedAt?: Date;
  /** When its author brought it here from elsewhere (ACCT-46). */
  importedAt?: Date;
  /** False once deleted. A boolean, because an index can match equality but not the absence of `deletedAt`. */
  live: boolean;
  /** The sweep has not marked the comments and likes of this deleted post yet. */
  erasing?: boolean;
  changedAt: Date;
}

const imageSchema = new Schema<AttachedImage>(
  {
    id: { type: String, required: true },
    width: { type: Number, required: true },
    height: { type: Number, required: true },
    blurhash: String,
    originalName: String,
    originalSize: Number,
    bytes: { type: Number, required: true },
    alt: String,
    caption: String,
  },
  { ...SCHEMA_OPTIONS, _id: false, id: false },
);

/** As VideoFacts of media.proto. */
export const videoFactsSchema = new Schema<VideoFacts>(
  {
    id: { type: String, required: true },
    version: { type: Number, required: true },
    status: { type: Number, required: true },
    problem: String,
    name: String,
    type: String,
    bytes: { type: Number, required: true },
    durationMs: { type: Number, required: true },
    width: { type: Number, required: true },
    height: { type: Number, required: true },
  },
  { ...SCHEMA_OPTIONS, _id: false, id: false },
);

const linkSchema = new Schema<JudgedLink>(
  {
    url: { type: String, required: true },
    originalUrl: { type: String, required: true },
    platform: { type: String, required: true },
    direct: { type: Boolean, required: true },
  },
  { ...SCHEMA_OPTIONS, _id: false, id: false },
);

const postSchema = new Schema<PostDocument>(
  {
    ...OWNED_FIELDS,
    authorId: { type: String, required: true },
    content: { type: String },
    mentionedIds: { type: [String], default: undefined },
    visibility: { type: String, required: true },
    images: { type: [imageSchema], default: undefined },
    videoId: String,
    videoFacts: videoFactsSchema,
    videoLink: linkSchema,
    mediaEpoch: Number,
    likeCount: { type: Number, required: true },
    commentCount: { type: Number, required: true },
    importedComments: Number,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    editedAt: Date,
    importedAt: Date,
    live: { type: Boolean, required: true },
    erasing: Boolean,
    changedAt: Date,
    ...HIDING_FIELDS,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

postSchema.index({ authorId: 1, live: 1, _id: -1 });
// The newest of those that were not imported, which have no `importedAt`.
postSchema.index({ importedAt: 1, _id: -1 });
postSchema.index({ changedAt: 1, _id: 1 });
postSchema.index({ erasing: 1 }, { sparse: true });
postSchema.index({ hiddenAt: 1 }, { sparse: true });
postSchema.index({ videoId: 1 }, { sparse: true });
postSchema.index({ 'videoFacts.status': 1 }, { sparse: true });
for (const { key, ...options } of [...MONGO_OUTBOX_INDEXES, ...IDEMPOTENCY_INDEXES])
  postSchema.index(key, options);

/**
 * Posts. Every change by the author is published, including text edits, although the state does not contain the text:
 * it carries the version, and the author's consistency token makes every reader wait for that version. Changes of the
 * counts by others' likes and comments are not published, nor is what media tells of a post's video.
 */
export class PostCollection extends ownedCollection({
  name: 'posts',
  schema: postSchema,
  topic: postTopic,
  toState: (post) => ({
    id: post._id,
    version: post.version,
    deleted: !post.live,
    authorId: post.authorId,
    subscribersOnly: post.visibility === 'subscribers',
    createdAt: post.createdAt.getTime(),
    hidden: toHiding(post),
    mentionedIds: post.mentionedIds ?? [],
    mediaIds: post.videoId === undefined ? (post.images?.map(({ id }) => id) ?? []) : [post.videoId],
    mediaEpoch: post.mediaEpoch ?? FIRST_MEDIA_EPOCH,
  }),
  unpublished: [
    ...(['likeCount', 'commentCount', 'importedComments', 'updatedAt', 'videoFacts', 'erasing'] as const),
    ...IDEMPOTENCY_NAMES,
  ],
}) {}
