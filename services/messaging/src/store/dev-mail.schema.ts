import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** A mail in the mailbox of development (MAIL-7); `_id` is that of its row. */
export interface DevMailDocument {
  _id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  sentAt: Date;
}

const devMailSchema = new Schema<DevMailDocument>(
  {
    _id: { type: String, required: true },
    to: { type: String, required: true },
    subject: { type: String, required: true },
    text: { type: String, required: true },
    html: { type: String, required: true },
    sentAt: { type: Date, required: true },
  },
  SCHEMA_OPTIONS,
);

devMailSchema.index({ sentAt: -1, _id: -1 });
devMailSchema.index({ to: 1, sentAt: -1, _id: -1 });

export class DevMailCollection extends collection<DevMailDocument>({
  name: 'devMails',
  schema: devMailSchema,
}) {}
