import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

/** From pulso.billing.subscription.v1; `_id` is the event's key. */
export interface SubscriptionRow {
  _id: string;
  userId: string;
  coachId: string;
  active: boolean;
  /** When access ends without a further event; null: open end. Judged at read time. */
  accessUntil: Date | null;
  version: number;
}

export const subscriptionSchema = new Schema<SubscriptionRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    coachId: { type: String, required: true },
    active: { type: Boolean, required: true },
    accessUntil: Date,
    version: { type: Number, required: true },
  },
  SCHEMA_OPTIONS,
);

subscriptionSchema.index({ userId: 1, active: 1, coachId: 1 });
