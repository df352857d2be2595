import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** What a user has imported from elsewhere (ACCT-46). */
export interface ImportRow {
  /** The user's id. */
  _id: string;
  /** The user of the archive. */
  sourceUserId: string;
  begunAt: Date;
  /** How many posts and comments were imported, also those that were deleted since. Never above LIMIT-21. */
  posts: number;
  comments: number;
  /** How long the texts of all these were, in bytes of UTF-8. */
  textBytes: number;
}

const importSchema = new Schema<ImportRow>(
  {
    _id: { type: String, required: true },
    sourceUserId: { type: String, required: true },
    begunAt: { type: Date, required: true },
    posts: { type: Number, required: true },
    comments: { type: Number, required: true },
    textBytes: { type: Number, required: true },
  },
  SCHEMA_OPTIONS,
);

export class ImportRows extends collection<ImportRow>({ name: 'imports', schema: importSchema }) {}
