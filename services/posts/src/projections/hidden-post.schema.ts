import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import { DECISION_FIELDS, type DecisionFields } from '../store/hiding.js';

/** From pulso.social.hidden-post.v1: a moderator's decision about the post `_id`. */
export interface HiddenPostRow extends ProjectedRow, DecisionFields {
  /** Added by posts, so that hidden posts can be found by author; empty when there is no such post. */
  authorId: string;
}

const hiddenPostSchema = new Schema<HiddenPostRow>(
  {
    ...PROJECTED_FIELDS,
    ...DECISION_FIELDS,
    authorId: { type: String },
  },
  SCHEMA_OPTIONS,
);

hiddenPostSchema.index({ changedAt: 1, _id: 1 });

export class HiddenPostRows extends collection<HiddenPostRow>({
  name: 'hiddenPosts',
  schema: hiddenPostSchema,
}) {}
