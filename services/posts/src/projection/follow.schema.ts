import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

/** From pulso.social.follow.v1; `_id` is the event's key. */
export interface FollowRow {
  _id: string;
  followerId: string;
  targetId: string;
  active: boolean;
  version: number;
}

export const followSchema = new Schema<FollowRow>(
  {
    _id: { type: String, required: true },
    followerId: { type: String, required: true },
    targetId: { type: String, required: true },
    active: { type: Boolean, required: true },
    version: { type: Number, required: true },
  },
  SCHEMA_OPTIONS,
);

followSchema.index({ followerId: 1, active: 1, targetId: 1 });
