import { collection } from '@pulso/platform/mongo/collection';
import {
  IDEMPOTENCY_FIELDS,
  IDEMPOTENCY_INDEXES,
  type IdempotencyFields,
} from '@pulso/platform/mongo/idempotent-insert';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** What a system message is about (MSG-10). */
export interface MessageEventFields {
  kind: 'started' | 'ends' | 'ended';
  at: Date;
}

export interface MessageDocument extends IdempotencyFields {
  /** UUIDv7. */
  _id: string;
  conversationId: string;
  /** The message's number in the conversation. */
  seq: number;
  senderId: string;
  receiverId: string;
  content: string;
  type: 'user' | 'system';
  /** Of system messages only. */
  event?: MessageEventFields;
  createdAt: Date;
  /** The receiver, until they have read it; never set for system messages. All unread counts are counts of it (MSG-6). */
  unreadBy?: string;
  /** The conversation may not show it yet. After a crash `FoldMessages` sees to it. */
  unfolded?: true;
  /** Of system messages: names the cause, which gets one message. */
  onceKey?: string;
}

const eventSchema = new Schema<MessageEventFields>(
  { kind: String, at: Date },
  { ...SCHEMA_OPTIONS, _id: false },
);

const messageSchema = new Schema<MessageDocument>(
  {
    _id: { type: String, required: true },
    conversationId: { type: String, required: true },
    seq: { type: Number, required: true },
    senderId: { type: String, required: true },
    receiverId: { type: String, required: true },
    content: { type: String, required: true },
    type: { type: String, required: true },
    event: eventSchema,
    createdAt: { type: Date, required: true },
    unreadBy: String,
    unfolded: Boolean,
    onceKey: String,
    ...IDEMPOTENCY_FIELDS,
  },
  SCHEMA_OPTIONS,
);

messageSchema.index({ conversationId: 1, seq: 1 }, { unique: true });
messageSchema.index({ unreadBy: 1, senderId: 1, seq: 1 }, { sparse: true });
messageSchema.index({ receiverId: 1, createdAt: -1 });
messageSchema.index({ senderId: 1, createdAt: -1 });
// What a user has written and got, which the export lists.
messageSchema.index({ senderId: 1, _id: 1 });
messageSchema.index({ receiverId: 1, _id: 1 });
messageSchema.index({ unfolded: 1 }, { sparse: true });
messageSchema.index({ onceKey: 1 }, { unique: true, sparse: true });
for (const { key, ...options } of IDEMPOTENCY_INDEXES) messageSchema.index(key, options);

export class MessageCollection extends collection<MessageDocument>({
  name: 'messages',
  schema: messageSchema,
}) {}
