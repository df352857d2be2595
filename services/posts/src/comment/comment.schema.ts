import { commentTopic } from '@pulso/contracts/topics/posts';
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

export interface CommentDocument extends OwnedDocument, IdempotencyFields {
  /** UUIDv7 of `createdAt`. */
  _id: string;
  postId: string;
  postAuthorId: string;
  authorId: string;
  content: string;
  /** Counted from the rows (`CountKeeper`). */
  likeCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** False once deleted. */
  live: boolean;
  /** The sweep has not marked the likes of this deleted comment yet. */
  erasing?: boolean;
}

const commentSchema = new Schema<CommentDocument>(
  {
    ...OWNED_FIELDS,
    postId: { type: String, required: true },
    postAuthorId: { type: String, required: true },
    authorId: { type: String, required: true },
    content: { type: String },
    likeCount: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    live: { type: Boolean, required: true },
    erasing: Boolean,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

commentSchema.index({ postId: 1, live: 1, _id: 1 });
commentSchema.index({ erasing: 1 }, { sparse: true });
for (const { key, ...options } of [...MONGO_OUTBOX_INDEXES, ...IDEMPOTENCY_INDEXES]) {
  commentSchema.index(key, options);
}

/** Comments. Their text is not published. */
export class CommentCollection extends ownedCollection({
  name: 'comments',
  schema: commentSchema,
  topic: commentTopic,
  toState: ({ _id, version, live, postId, postAuthorId, authorId, createdAt }) => ({
    id: _id,
    version,
    deleted: !live,
    postId,
    postAuthorId,
    authorId,
    createdAt: createdAt.getTime(),
  }),
  unpublished: ['likeCount', 'erasing', ...IDEMPOTENCY_NAMES],
}) {}
