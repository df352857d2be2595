import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** Posts' copy of a user, from pulso.identity.user.v1. */
export interface UserRow extends ProjectedRow {
  status: 'active' | 'suspended' | 'deleted';
  name: string;
  username: string;
  /** The names that the user gave up, each theirs until then (PEOPLE-9); none in rows of the version before. */
  formerUsernames?: { username: string; until: number }[];
  profileImageId: string;
  isCoach: boolean;
  /** Empty: the version before, which has its prices here, cannot read a row without it. */
  subscriptionCurrency: '';
}

const userSchema = new Schema<UserRow>(
  {
    ...PROJECTED_FIELDS,
    status: { type: String, required: true },
    name: String,
    username: String,
    formerUsernames: { type: [{ username: String, until: Number, _id: false }], default: undefined },
    profileImageId: String,
    isCoach: { type: Boolean, required: true },
    subscriptionCurrency: String,
  },
  SCHEMA_OPTIONS,
);

userSchema.index({ changedAt: 1, _id: 1 });
userSchema.index({ status: 1, _id: 1 });
userSchema.index({ username: 1 }, { sparse: true });
userSchema.index({ 'formerUsernames.username': 1 }, { sparse: true });

export class UserRows extends collection<UserRow>({ name: 'users', schema: userSchema }) {}
