import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';
import type { ProjectedRow } from './rebuild/projected-row.js';
import { PROJECTED_FIELDS } from './rebuild/projected-fields.js';

/** From pulso.social.follow.v1; `_id` is the event's key. */
export interface FollowRow extends ProjectedRow {
  followerId: string;
  targetId: string;
  active: boolean;
}

export const followSchema = new Schema<FollowRow>(
  {
    ...PROJECTED_FIELDS,
    followerId: { type: String, required: true },
    targetId: { type: String, required: true },
    active: { type: Boolean, required: true },
  },
  SCHEMA_OPTIONS,
);

followSchema.index({ followerId: 1, active: 1, targetId: 1 });
