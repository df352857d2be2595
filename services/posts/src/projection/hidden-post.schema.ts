import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';
import { PROJECTED_FIELDS } from './rebuild/projected-fields.js';
import type { ProjectedRow } from './rebuild/projected-row.js';

/** From pulso.social.hidden-post.v1: a moderator's decision about the post `_id`. */
export interface HiddenPostRow extends ProjectedRow {
  /** Posts' own knowledge, so that an author's posts can be counted; empty where there is no such post. */
  authorId: string;
  hidden: boolean;
}

export const hiddenPostSchema = new Schema<HiddenPostRow>(
  {
    ...PROJECTED_FIELDS,
    authorId: { type: String },
    hidden: { type: Boolean, required: true },
  },
  SCHEMA_OPTIONS,
);

hiddenPostSchema.index({ changedAt: 1, _id: 1 });
