import { likeTopic } from '@pulso/contracts/topics/posts';
import { MONGO_OUTBOX_INDEXES } from '@pulso/platform/mongo/mongo-outbox';
import { OWNED_FIELDS, type OwnedDocument, ownedCollection } from '@pulso/platform/mongo/owned-collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import { COUNTED_FIELDS, COUNTED_INDEX, COUNTED_NAMES, type CountedFields } from './counted-fields.js';

/**
 * A user's like of a post or comment. A like that was taken back stays as an inactive row until the outbox removes
 * it.
 */
export interface LikeDocument extends OwnedDocument, CountedFields {
  /** `{targetId}_{userId}`: at most one per user and target (POST-19). */
  _id: string;
  userId: string;
  targetId: string;
  /** The post itself, or the comment's post. */
  postId: string;
  onComment: boolean;
  targetAuthorId: string;
  active: boolean;
  createdAt: Date;
}

const likeSchema = new Schema<LikeDocument>(
  {
    ...OWNED_FIELDS,
    userId: { type: String, required: true },
    targetId: { type: String, required: true },
    postId: { type: String, required: true },
    onComment: { type: Boolean, required: true },
    targetAuthorId: { type: String, required: true },
    active: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    ...COUNTED_FIELDS,
  },
  SCHEMA_OPTIONS,
);

// Counts a target's likes, and lists them by their time.
likeSchema.index({ targetId: 1, active: 1, createdAt: 1, _id: 1 });
likeSchema.index({ postId: 1, active: 1 });
// A user's likes, which erasure and export list.
likeSchema.index({ userId: 1, active: 1, _id: 1 });
likeSchema.index(...COUNTED_INDEX);
for (const { key, ...options } of MONGO_OUTBOX_INDEXES) likeSchema.index(key, options);

export class LikeCollection extends ownedCollection({
  name: 'likes',
  schema: likeSchema,
  topic: likeTopic,
  toState: ({ userId, targetId, postId, onComment, targetAuthorId, version, active, createdAt }) => ({
    userId,
    targetId,
    postId,
    onComment,
    targetAuthorId,
    version,
    active,
    createdAt: createdAt.getTime(),
  }),
  unpublished: [...COUNTED_NAMES],
}) {}
