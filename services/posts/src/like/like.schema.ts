import { MONGO_OUTBOX_INDEXES } from '@pulso/platform/events/mongo-outbox';
import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

/** One user's like of one post or comment; taken back it stays as an inactive row until the outbox removes it. */
export interface LikeDocument {
  /** `{targetId}_{userId}`: at most one a user and target (decisions 3). */
  _id: string;
  userId: string;
  targetId: string;
  /** The post itself, or the comment's post. */
  postId: string;
  onComment: boolean;
  targetAuthorId: string;
  active: boolean;
  createdAt: Date;
  deletedAt?: Date;
  version: number;
  dirtyAt?: Date;
  traceparent?: string;
  expiresAt?: Date;
}

export const likeSchema = new Schema<LikeDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    targetId: { type: String, required: true },
    postId: { type: String, required: true },
    onComment: { type: Boolean, required: true },
    targetAuthorId: { type: String, required: true },
    active: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    deletedAt: Date,
    version: { type: Number, required: true },
    dirtyAt: Date,
    traceparent: String,
    expiresAt: Date,
  },
  SCHEMA_OPTIONS,
);

likeSchema.index({ targetId: 1, active: 1 });
likeSchema.index({ postId: 1, active: 1 });
for (const { key, ...options } of MONGO_OUTBOX_INDEXES) likeSchema.index(key, options);
