import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import type { SubscriptionNote, SubscriptionStory } from './subscription-story.js';

/** A subscription as far as its two users have been told of it; `_id` is the key of its states. */
export interface ToldSubscriptionDocument extends SubscriptionStory {
  _id: string;
  /** The notes that may not be written yet. */
  owed: SubscriptionNote[];
}

const toldSubscriptionSchema = new Schema<ToldSubscriptionDocument>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    active: { type: Boolean, required: true },
    beganAt: { type: Number, required: true },
    endsAt: Number,
    owed: [
      new Schema<SubscriptionNote>(
        { kind: String, at: Date, key: String },
        { ...SCHEMA_OPTIONS, _id: false },
      ),
    ],
  },
  SCHEMA_OPTIONS,
);

export class ToldSubscriptions extends collection<ToldSubscriptionDocument>({
  name: 'toldSubscriptions',
  schema: toldSubscriptionSchema,
}) {}
