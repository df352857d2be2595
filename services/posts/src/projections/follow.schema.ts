import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** From pulso.social.follow.v1; `_id` is the event's key. */
export interface FollowRow extends ProjectedRow {
  followerId: string;
  targetId: string;
  active: boolean;
}

const followSchema = new Schema<FollowRow>(
  {
    ...PROJECTED_FIELDS,
    followerId: { type: String, required: true },
    targetId: { type: String, required: true },
    active: { type: Boolean, required: true },
  },
  SCHEMA_OPTIONS,
);

followSchema.index({ followerId: 1, active: 1, targetId: 1 });

export class FollowRows extends collection<FollowRow>({ name: 'follows', schema: followSchema }) {}
