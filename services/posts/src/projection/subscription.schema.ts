import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';
import type { ProjectedRow } from './rebuild/projected-row.js';
import { PROJECTED_FIELDS } from './rebuild/projected-fields.js';

/** From pulso.billing.subscription.v1; `_id` is the event's key. */
export interface SubscriptionRow extends ProjectedRow {
  userId: string;
  coachId: string;
  active: boolean;
  /** When access ends without a further event; null: open end. Judged at read time. */
  accessUntil: Date | null;
}

export const subscriptionSchema = new Schema<SubscriptionRow>(
  {
    ...PROJECTED_FIELDS,
    userId: { type: String, required: true },
    coachId: { type: String, required: true },
    active: { type: Boolean, required: true },
    accessUntil: Date,
  },
  SCHEMA_OPTIONS,
);

subscriptionSchema.index({ userId: 1, active: 1, coachId: 1 });
