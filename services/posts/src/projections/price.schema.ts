import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** Posts' copy of a coach's price, from pulso.billing.price.v1. */
export interface PriceRow extends ProjectedRow {
  /** Null when none is set. */
  priceMinor: number | null;
  currency: string;
}

const priceSchema = new Schema<PriceRow>(
  { ...PROJECTED_FIELDS, priceMinor: Number, currency: { type: String, required: true } },
  SCHEMA_OPTIONS,
);

priceSchema.index({ changedAt: 1, _id: 1 });

export class PriceRows extends collection<PriceRow>({ name: 'prices', schema: priceSchema }) {}
