import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';
import type { ProjectedRow } from './rebuild/projected-row.js';
import { PROJECTED_FIELDS } from './rebuild/projected-fields.js';

/** From pulso.social.block.v1; `_id` is the event's key. */
export interface BlockRow extends ProjectedRow {
  blockerId: string;
  blockedId: string;
  active: boolean;
}

export const blockSchema = new Schema<BlockRow>(
  {
    ...PROJECTED_FIELDS,
    blockerId: { type: String, required: true },
    blockedId: { type: String, required: true },
    active: { type: Boolean, required: true },
  },
  SCHEMA_OPTIONS,
);

blockSchema.index({ blockerId: 1, active: 1, blockedId: 1 });
blockSchema.index({ blockedId: 1, active: 1, blockerId: 1 });
