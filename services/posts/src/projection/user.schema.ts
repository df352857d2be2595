import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

/** What posts knows of a user, from pulso.identity.user.v1. */
export interface UserRow {
  _id: string;
  status: 'active' | 'suspended' | 'deleted';
  name: string;
  username: string;
  profileImageId: string;
  isCoach: boolean;
  /** Null when the coach set none. */
  subscriptionPriceMinor: number | null;
  subscriptionCurrency: string;
  version: number;
  /** The store's own time of the last change: what replicas' tails follow. */
  changedAt: Date;
}

export const userSchema = new Schema<UserRow>(
  {
    _id: { type: String, required: true },
    status: { type: String, required: true },
    name: String,
    username: String,
    profileImageId: String,
    isCoach: { type: Boolean, required: true },
    subscriptionPriceMinor: Number,
    subscriptionCurrency: String,
    version: { type: Number, required: true },
    changedAt: Date,
  },
  SCHEMA_OPTIONS,
);

userSchema.index({ changedAt: 1, _id: 1 });
