import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** From pulso.social.block.v1; `_id` is the event's key. */
export interface BlockRow extends ProjectedRow {
  blockerId: string;
  blockedId: string;
  active: boolean;
}

const blockSchema = new Schema<BlockRow>(
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

export class BlockRows extends collection<BlockRow>({ name: 'blocks', schema: blockSchema }) {}
