import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

/** From pulso.social.block.v1; `_id` is the event's key. */
export interface BlockRow {
  _id: string;
  blockerId: string;
  blockedId: string;
  active: boolean;
  version: number;
}

export const blockSchema = new Schema<BlockRow>(
  {
    _id: { type: String, required: true },
    blockerId: { type: String, required: true },
    blockedId: { type: String, required: true },
    active: { type: Boolean, required: true },
    version: { type: Number, required: true },
  },
  SCHEMA_OPTIONS,
);

blockSchema.index({ blockerId: 1, active: 1, blockedId: 1 });
blockSchema.index({ blockedId: 1, active: 1, blockerId: 1 });
