import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import type { NotificationKind } from './notification-types.js';

/** A notification, or the mark of one that was taken back: it keeps an older state from making it again. */
export interface NotificationDocument {
  _id: string;
  /** See `keyOf`: one row for each actor, type, target and receiver (NOTIF-3). */
  key: string;
  receiverId: string;
  actorId: string;
  type: NotificationKind;
  /** What was liked or written; for follow, subscription and review the receiver. */
  targetId: string;
  /** Of the posts and comments that it leads to. */
  postId?: string;
  commentId?: string;
  /** The version of the state that the row follows from. */
  version: number;
  /** False while it is taken back. */
  live: boolean;
  read: boolean;
  /** See `madeAt` and `timeOf`. */
  createdAt: Date;
  /** Of mentions: the target, by which an edit finds those who were mentioned before. */
  mentionedIn?: string;
  /** Of mentions: the actor, where the receiver did not follow them when the row was made (NOTIF-14). */
  strangerOf?: string;
}

const notificationSchema = new Schema<NotificationDocument>(
  {
    _id: { type: String, required: true },
    key: { type: String, required: true },
    receiverId: { type: String, required: true },
    actorId: { type: String, required: true },
    type: { type: String, required: true },
    targetId: { type: String, required: true },
    postId: String,
    commentId: String,
    version: { type: Number, required: true },
    live: { type: Boolean, required: true },
    read: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    mentionedIn: String,
    strangerOf: String,
  },
  SCHEMA_OPTIONS,
);

notificationSchema.index({ key: 1 }, { unique: true });
notificationSchema.index({ receiverId: 1, live: 1, createdAt: -1, _id: -1 });
notificationSchema.index({ receiverId: 1, live: 1, read: 1, actorId: 1 });
// An erasure finds what a user has caused.
notificationSchema.index({ actorId: 1 });
notificationSchema.index({ mentionedIn: 1 }, { sparse: true });
notificationSchema.index({ strangerOf: 1, createdAt: -1 }, { sparse: true });

export class NotificationCollection extends collection<NotificationDocument>({
  name: 'notifications',
  schema: notificationSchema,
}) {}
