import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import type { Mail } from './mail.js';

export type MailState = 'waiting' | 'sent' | 'dropped' | 'failed';

/** A mail that is to be sent or was sent. It has no text, and no address but what identity may have sealed for the mail worker. */
export type MailDocument = Mail & {
  /** The mail's once-key and the queue's job id: the same for the same mail, whichever event asks for it. */
  _id: string;
  state: MailState;
  /** When it is to be tried next; absent once it has ended. While it is sent: when another worker may take it over. */
  dueAt?: Date;
  /** The worker that is sending it. */
  claimedBy?: string;
  /** How often a worker has tried to send it. */
  attempts: number;
  createdAt: Date;
  /** When it was sent, dropped or given up. */
  endedAt?: Date;
  /** Why it could not be sent the last time, or why it was dropped. */
  reason?: string;
};

const mailSchema = new Schema<MailDocument>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    userId: { type: String, required: true },
    facts: new Schema(
      {
        ...{ coachId: String, subscriberId: String, subject: String, isHidden: Boolean, reason: String },
        ...{ notice: String, amountMinor: Number, currency: String, until: Number },
        ...{ sealed: String, expiresAt: Number },
      },
      { ...SCHEMA_OPTIONS, _id: false },
    ),
    state: { type: String, required: true },
    dueAt: Date,
    claimedBy: String,
    attempts: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    endedAt: Date,
    reason: String,
  },
  SCHEMA_OPTIONS,
);

mailSchema.index({ state: 1, dueAt: 1 });
mailSchema.index({ createdAt: 1 });
mailSchema.index({ userId: 1, kind: 1, state: 1, endedAt: 1 });
// The export lists a user's.
mailSchema.index({ userId: 1, _id: 1 });
mailSchema.index({ claimedBy: 1 }, { sparse: true });

export class MailCollection extends collection<MailDocument>({ name: 'mails', schema: mailSchema }) {}
