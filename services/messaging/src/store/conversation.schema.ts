import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** What the list of conversations shows of the newest message. */
export interface LastMessage {
  senderId: string;
  receiverId: string;
  content: string;
  isSystem: boolean;
  createdAt: Date;
}

export interface ConversationDocument {
  /** See `conversationIdOf`. */
  _id: string;
  /** Who sees it: those who have started it, and both once it has a message (MSG-3). */
  seenBy: string[];
  /** User id → when they started it before its first message. */
  startedAt?: Record<string, Date>;
  /** The number of `lastMessage`; 0 without one. */
  lastSeq: number;
  lastMessage?: LastMessage;
  lastActivity: Date;
}

const lastMessageSchema = new Schema<LastMessage>(
  { senderId: String, receiverId: String, content: String, isSystem: Boolean, createdAt: Date },
  { ...SCHEMA_OPTIONS, _id: false },
);

const conversationSchema = new Schema<ConversationDocument>(
  {
    _id: { type: String, required: true },
    seenBy: { type: [String], required: true },
    startedAt: { type: Map, of: Date },
    lastSeq: { type: Number, required: true },
    lastMessage: lastMessageSchema,
    lastActivity: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);

conversationSchema.index({ seenBy: 1, lastActivity: -1, _id: -1 });
// The export lists them; it must not lose one that becomes active meanwhile.
conversationSchema.index({ seenBy: 1, _id: 1 });

export class ConversationCollection extends collection<ConversationDocument>({
  name: 'conversations',
  schema: conversationSchema,
}) {}
