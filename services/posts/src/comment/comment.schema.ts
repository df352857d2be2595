import { MONGO_OUTBOX_INDEXES } from '@pulso/platform/events/mongo-outbox';
import { Schema } from 'mongoose';
import { IDEMPOTENCY_FIELDS, IDEMPOTENCY_INDEXES, type IdempotencyFields } from '../store/idempotency.js';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

export interface CommentDocument extends IdempotencyFields {
  /** UUIDv7 of `createdAt`. */
  _id: string;
  postId: string;
  postAuthorId: string;
  authorId: string;
  content: string;
  /** Derived from the rows by recount (`CountKeeper`). */
  likeCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** False once deleted. */
  live: boolean;
  deletedAt?: Date;
  /** Likes of this deleted comment are still to be marked. */
  erasing?: boolean;
  version: number;
  dirtyAt?: Date;
  traceparent?: string;
  expiresAt?: Date;
}

export const commentSchema = new Schema<CommentDocument>(
  {
    _id: { type: String, required: true },
    postId: { type: String, required: true },
    postAuthorId: { type: String, required: true },
    authorId: { type: String, required: true },
    content: { type: String },
    likeCount: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    live: { type: Boolean, required: true },
    deletedAt: Date,
    erasing: Boolean,
    version: { type: Number, required: true },
    dirtyAt: Date,
    traceparent: String,
    expiresAt: Date,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

commentSchema.index({ postId: 1, live: 1, _id: 1 });
commentSchema.index({ erasing: 1 }, { sparse: true });
for (const { key, ...options } of [...MONGO_OUTBOX_INDEXES, ...IDEMPOTENCY_INDEXES]) {
  commentSchema.index(key, options);
}
