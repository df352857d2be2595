import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import type { Topic } from '@pulso/contracts/topics/topic';
import { Schema } from 'mongoose';
import { MONGO_OUTBOX_INDEXES } from './mongo-outbox.js';
import { OWNED_FIELDS, type OwnedDocument, ownedCollection } from './owned-collection.js';
import { SCHEMA_OPTIONS } from './schema-options.js';

/** A user whose account is erased: see `ErasedUsers`. */
export interface ErasedUserDocument extends OwnedDocument {
  /** The user's id. */
  _id: string;
  /** The version of identity's state that asks for it. */
  asked: number;
  /** How often the service has erased what it held since it was asked. */
  looks: number;
  /** Absent once nothing is to be done any more. */
  dueAt?: Date;
  erasedAt?: Date;
  changedAt: Date;
}

const erasedUserSchema = new Schema<ErasedUserDocument>(
  {
    ...OWNED_FIELDS,
    asked: { type: Number, required: true },
    looks: { type: Number, required: true },
    dueAt: Date,
    erasedAt: Date,
    changedAt: Date,
  },
  SCHEMA_OPTIONS,
);

erasedUserSchema.index({ changedAt: 1, _id: 1 });
erasedUserSchema.index({ dueAt: 1 }, { sparse: true });
for (const { key, ...options } of MONGO_OUTBOX_INDEXES) erasedUserSchema.index(key, options);

/** The collection of a service's marks, acknowledged on its topic. */
export const erasedUserCollection = (topic: Topic<ErasedUserState>) =>
  ownedCollection({
    name: 'erasedUsers',
    schema: erasedUserSchema,
    topic,
    toState: ({ _id, version, asked, erasedAt }) => ({
      userId: _id,
      version,
      asked,
      erasedAt: erasedAt?.getTime(),
    }),
    unpublished: ['looks', 'dueAt'],
  });

export type ErasedUserRows = InstanceType<ReturnType<typeof erasedUserCollection>>;
