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
import { COUNTED_FIELDS, COUNTED_INDEX, COUNTED_NAMES, type CountedFields } from './counted-fields.js';
import { HIDING_FIELDS, type HidingFields, toHiding } from './hiding.js';

export interface CommentDocument extends OwnedDocument, CountedFields, IdempotencyFields, HidingFields {
  /** UUIDv7 of `createdAt`. */
  _id: string;
  postId: string;
  postAuthorId: string;
  authorId: string;
  content: string;
  /** See `Mentions`; none in comments from before there were mentions. */
  mentionedIds?: string[];
  /** Counted from the rows (`CountKeeper`). */
  likeCount: number;
  createdAt: Date;
  updatedAt: Date;
  /** When its author brought it here from elsewhere (ACCT-46). */
  importedAt?: Date;
  /** The post, of an imported comment until it is deleted: those of a post are counted. */
  importedTo?: string;
  /** False once deleted. */
  live: boolean;
  /** The post, while a moderator hides the comment: lists skip it in the index, and the hidden comments of a post are counted. */
  hiddenOfPost?: string;
  /** The sweep has not marked the likes of this deleted comment yet. */
  erasing?: boolean;
  /** Set while the author is suspended (`HideComments`), so that no list has to read its way past these comments. */
  authorHidden?: boolean;
}

const commentSchema = new Schema<CommentDocument>(
  {
    ...OWNED_FIELDS,
    postId: { type: String, required: true },
    postAuthorId: { type: String, required: true },
    authorId: { type: String, required: true },
    content: { type: String },
    mentionedIds: { type: [String], default: undefined },
    likeCount: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    importedAt: Date,
    importedTo: String,
    live: { type: Boolean, required: true },
    erasing: Boolean,
    authorHidden: Boolean,
    hiddenOfPost: String,
    ...COUNTED_FIELDS,
    ...HIDING_FIELDS,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

commentSchema.index({ postId: 1, live: 1, _id: 1 });
commentSchema.index({ postId: 1, live: 1, authorHidden: 1, hiddenOfPost: 1, _id: 1 });
commentSchema.index({ authorId: 1, _id: 1 });
commentSchema.index({ authorHidden: 1, authorId: 1 }, { sparse: true });
commentSchema.index({ erasing: 1 }, { sparse: true });
commentSchema.index({ importedTo: 1 }, { sparse: true });
commentSchema.index({ hiddenOfPost: 1, authorId: 1, _id: 1 });
commentSchema.index(...COUNTED_INDEX);
for (const { key, ...options } of [...MONGO_OUTBOX_INDEXES, ...IDEMPOTENCY_INDEXES]) {
  commentSchema.index(key, options);
}

/** Comments. Their text is not published. */
export class CommentCollection extends ownedCollection({
  name: 'comments',
  schema: commentSchema,
  topic: commentTopic,
  toState: ({
    _id,
    version,
    live,
    postId,
    postAuthorId,
    authorId,
    createdAt,
    mentionedIds = [],
    ...hiding
  }) => ({
    id: _id,
    version,
    deleted: !live,
    postId,
    postAuthorId,
    authorId,
    createdAt: createdAt.getTime(),
    hidden: toHiding(hiding),
    mentionedIds,
  }),
  unpublished: ['likeCount', 'erasing', 'authorHidden', ...COUNTED_NAMES, ...IDEMPOTENCY_NAMES],
}) {}
