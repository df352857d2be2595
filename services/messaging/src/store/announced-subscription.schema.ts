import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import type { NoteSchedule } from './daily-notes.js';
import type { SubscriptionNote, SubscriptionStory } from './subscription-story.js';

/** What the two users of a subscription have been told of it; `_id` is the key of its states. */
export interface AnnouncedSubscriptionDocument extends SubscriptionStory, Pick<NoteSchedule, 'owed'> {
  _id: string;
  /** Missing in rows of earlier versions, as is `waiting`. */
  toldAt?: NoteSchedule['toldAt'];
  waiting?: NoteSchedule['waiting'];
  /** When the first waiting note is to be written; absent where none waits. */
  dueAt?: Date;
}

const NESTED = { ...SCHEMA_OPTIONS, _id: false } as const;

const noteSchema = new Schema<SubscriptionNote>({ kind: String, at: Date, key: String }, NESTED);

const announcedSubscriptionSchema = new Schema<AnnouncedSubscriptionDocument>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    active: { type: Boolean, required: true },
    beganAt: { type: Number, required: true },
    endsAt: Number,
    owed: [noteSchema],
    toldAt: new Schema<NoteSchedule['toldAt']>({ started: Date, ends: Date, ended: Date }, NESTED),
    waiting: [noteSchema],
    dueAt: Date,
  },
  SCHEMA_OPTIONS,
);

announcedSubscriptionSchema.index({ dueAt: 1 }, { sparse: true });

export class AnnouncedSubscriptions extends collection<AnnouncedSubscriptionDocument>({
  name: 'toldSubscriptions',
  schema: announcedSubscriptionSchema,
}) {}
