import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';
import type { ProjectedRow } from './rebuild/projected-row.js';
import { PROJECTED_FIELDS } from './rebuild/projected-fields.js';

/** What posts knows of a user, from pulso.identity.user.v1. */
export interface UserRow extends ProjectedRow {
  status: 'active' | 'suspended' | 'deleted';
  name: string;
  username: string;
  profileImageId: string;
  isCoach: boolean;
  /** Null when the coach set none. */
  subscriptionPriceMinor: number | null;
  subscriptionCurrency: string;
}

export const userSchema = new Schema<UserRow>(
  {
    ...PROJECTED_FIELDS,
    status: { type: String, required: true },
    name: String,
    username: String,
    profileImageId: String,
    isCoach: { type: Boolean, required: true },
    subscriptionPriceMinor: Number,
    subscriptionCurrency: String,
  },
  SCHEMA_OPTIONS,
);

userSchema.index({ changedAt: 1, _id: 1 });
