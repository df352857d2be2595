import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { USER_FIELDS, type UserRow as KnownUserRow } from '@pulso/platform/mongo/user-projection';
import { Schema } from 'mongoose';

/** Posts' copy of a user, from pulso.identity.user.v1. */
export interface UserRow extends KnownUserRow {
  /** The names that the user gave up, each theirs until then (PEOPLE-9); none in rows of the version before. */
  formerUsernames?: { username: string; until: number }[];
  /** Empty: the version before, which has its prices here, cannot read a row without it. */
  subscriptionCurrency: '';
}

const userSchema = new Schema<UserRow>(
  {
    ...USER_FIELDS,
    formerUsernames: { type: [{ username: String, until: Number, _id: false }], default: undefined },
    subscriptionCurrency: String,
  },
  SCHEMA_OPTIONS,
);

userSchema.index({ changedAt: 1, _id: 1 });
userSchema.index({ status: 1, _id: 1 });
userSchema.index({ username: 1 }, { sparse: true });
userSchema.index({ 'formerUsernames.username': 1 }, { sparse: true });

export class UserRows extends collection<UserRow>({ name: 'users', schema: userSchema }) {}
