import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import { DECISION_FIELDS, type DecisionFields } from '../store/hiding.js';

/** From pulso.social.hidden-comment.v1: a moderator's decision about the comment `_id`. */
export interface HiddenCommentRow extends ProjectedRow, DecisionFields {}

const hiddenCommentSchema = new Schema<HiddenCommentRow>(
  { ...PROJECTED_FIELDS, ...DECISION_FIELDS },
  SCHEMA_OPTIONS,
);

export class HiddenCommentRows extends collection<HiddenCommentRow>({
  name: 'hiddenComments',
  schema: hiddenCommentSchema,
}) {}
