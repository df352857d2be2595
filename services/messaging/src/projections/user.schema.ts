import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** Messaging's copy of a user, from pulso.identity.user.v1. */
export interface UserRow extends ProjectedRow {
  status: 'active' | 'suspended' | 'deleted';
  name: string;
  username: string;
  profileImageId: string;
  isCoach: boolean;
}

const userSchema = new Schema<UserRow>(
  {
    ...PROJECTED_FIELDS,
    status: { type: String, required: true },
    name: String,
    username: String,
    profileImageId: String,
    isCoach: { type: Boolean, required: true },
  },
  SCHEMA_OPTIONS,
);

export class UserRows extends collection<UserRow>({ name: 'users', schema: userSchema }) {}
