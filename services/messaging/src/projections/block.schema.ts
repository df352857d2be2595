import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** From pulso.social.block.v1; `_id` is the event's key, by which every block is looked up. */
export interface BlockRow extends ProjectedRow {
  active: boolean;
}

const blockSchema = new Schema<BlockRow>(
  { ...PROJECTED_FIELDS, active: { type: Boolean, required: true } },
  SCHEMA_OPTIONS,
);

export class BlockRows extends collection<BlockRow>({ name: 'blocks', schema: blockSchema }) {}
