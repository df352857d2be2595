import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { USER_FIELDS, type UserRow } from '@pulso/platform/mongo/user-projection';
import { Schema } from 'mongoose';

const userSchema = new Schema<UserRow>(USER_FIELDS, SCHEMA_OPTIONS);

export class UserRows extends collection<UserRow>({ name: 'users', schema: userSchema }) {}
