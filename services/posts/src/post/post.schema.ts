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
import { Schema } from 'mongoose';
import type { Visibility } from '../feed-index/feed-ranking.js';

export interface PostDocument extends OwnedDocument, IdempotencyFields {
  /** UUIDv7 of `createdAt`. */
  _id: string;
  authorId: string;
  content: string;
  visibility: Visibility;
  /** Counted from the rows (`CountKeeper`). */
  likeCount: number;
  commentCount: number;
  createdAt: Date;
  updatedAt: Date;
  editedAt?: Date;
  /** False once deleted. A boolean, because an index can match equality but not the absence of `deletedAt`. */
  live: boolean;
  /** The sweep has not marked the comments and likes of this deleted post yet. */
  erasing?: boolean;
  changedAt: Date;
}

const postSchema = new Schema<PostDocument>(
  {
    ...OWNED_FIELDS,
    authorId: { type: String, required: true },
    content: { type: String },
    visibility: { type: String, required: true },
    likeCount: { type: Number, required: true },
    commentCount: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    editedAt: Date,
    live: { type: Boolean, required: true },
    erasing: Boolean,
    changedAt: Date,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

postSchema.index({ authorId: 1, live: 1, _id: -1 });
postSchema.index({ changedAt: 1, _id: 1 });
postSchema.index({ erasing: 1 }, { sparse: true });
for (const { key, ...options } of [...MONGO_OUTBOX_INDEXES, ...IDEMPOTENCY_INDEXES])
  postSchema.index(key, options);

/**
 * Posts. Every change by the author is published, including text edits, although the state does not contain the text:
 * it carries the version, and the author's consistency token makes every reader wait for that version. Changes of the
 * counts by others' likes and comments are not published.
 */
export class PostCollection extends ownedCollection({
  name: 'posts',
  schema: postSchema,
  topic: postTopic,
  toState: ({ _id, version, live, authorId, visibility, createdAt }) => ({
    id: _id,
    version,
    deleted: !live,
    authorId,
    subscribersOnly: visibility === 'subscribers',
    createdAt: createdAt.getTime(),
  }),
  unpublished: ['likeCount', 'commentCount', 'updatedAt', 'erasing', ...IDEMPOTENCY_NAMES],
}) {}
