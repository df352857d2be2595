import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** From pulso.billing.subscription.v1; `_id` is the event's key. */
export interface SubscriptionRow extends ProjectedRow {
  userId: string;
  coachId: string;
  active: boolean;
  /** When access ends without a further event; null: open end. Evaluated at read time. */
  accessUntil: Date | null;
}

const subscriptionSchema = new Schema<SubscriptionRow>(
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

export class SubscriptionRows extends collection<SubscriptionRow>({
  name: 'subscriptions',
  schema: subscriptionSchema,
}) {}
