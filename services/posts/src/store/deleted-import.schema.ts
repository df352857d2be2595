import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** An imported post or comment that was deleted since; its own row is removed 7 days later (ACCT-46). */
export interface DeletedImportRow {
  /** The id of the post or comment. */
  _id: string;
  userId: string;
}

const deletedImportSchema = new Schema<DeletedImportRow>(
  { _id: { type: String, required: true }, userId: { type: String, required: true } },
  SCHEMA_OPTIONS,
);

deletedImportSchema.index({ userId: 1 });

export class DeletedImportRows extends collection<DeletedImportRow>({
  name: 'deletedImports',
  schema: deletedImportSchema,
}) {}
