import { MONGO_OUTBOX_INDEXES } from '@pulso/platform/events/mongo-outbox';
import { Schema } from 'mongoose';
import type { Visibility } from '../feed-index/feed-ranking.js';
import { IDEMPOTENCY_FIELDS, IDEMPOTENCY_INDEXES, type IdempotencyFields } from '../store/idempotency.js';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

export interface PostDocument extends IdempotencyFields {
  /** UUIDv7 of `createdAt`. */
  _id: string;
  authorId: string;
  content: string;
  visibility: Visibility;
  /** Derived from the rows by recount (`CountKeeper`). */
  likeCount: number;
  commentCount: number;
  createdAt: Date;
  updatedAt: Date;
  editedAt?: Date;
  /** False once deleted; a boolean because indexes count equality with it and not the absence of `deletedAt`. */
  live: boolean;
  deletedAt?: Date;
  /** Comments and likes of this deleted post are still to be marked. */
  erasing?: boolean;
  /** Grows with every change; every update compares it. */
  version: number;
  /** The store's own time of the last change: what replicas' tails follow. */
  changedAt: Date;
  /** Set while the current state is to be published. */
  dirtyAt?: Date;
  traceparent?: string;
  /** The outbox's own. */
  expiresAt?: Date;
}

export const postSchema = new Schema<PostDocument>(
  {
    _id: { type: String, required: true },
    authorId: { type: String, required: true },
    content: { type: String },
    visibility: { type: String, required: true },
    likeCount: { type: Number, required: true },
    commentCount: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    editedAt: Date,
    live: { type: Boolean, required: true },
    deletedAt: Date,
    erasing: Boolean,
    version: { type: Number, required: true },
    changedAt: Date,
    dirtyAt: Date,
    traceparent: String,
    expiresAt: Date,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

postSchema.index({ authorId: 1, live: 1, _id: -1 });
postSchema.index({ changedAt: 1, _id: 1 });
postSchema.index({ erasing: 1 }, { sparse: true });
for (const { key, ...options } of [...MONGO_OUTBOX_INDEXES, ...IDEMPOTENCY_INDEXES])
  postSchema.index(key, options);
