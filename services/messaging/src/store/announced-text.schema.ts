import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** The newest version of a post or comment whose mentions were notified or taken back. */
export interface AnnouncedTextDocument {
  _id: string;
  version: number;
}

const announcedTextSchema = new Schema<AnnouncedTextDocument>(
  { _id: { type: String, required: true }, version: { type: Number, required: true } },
  SCHEMA_OPTIONS,
);

export class AnnouncedTexts extends collection<AnnouncedTextDocument>({
  name: 'toldTexts',
  schema: announcedTextSchema,
}) {}
