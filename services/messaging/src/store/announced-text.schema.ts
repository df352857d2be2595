import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** The newest version of a post or comment by which its mentions were told or taken back. */
export interface ToldTextDocument {
  _id: string;
  version: number;
}

const toldTextSchema = new Schema<ToldTextDocument>(
  { _id: { type: String, required: true }, version: { type: Number, required: true } },
  SCHEMA_OPTIONS,
);

export class ToldTexts extends collection<ToldTextDocument>({ name: 'toldTexts', schema: toldTextSchema }) {}
