import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../../store/schema-options.js';

/** The rows that a projection can be rebuilt by; names their collection, too. */
export type ProjectionName = 'users' | 'follows' | 'blocks' | 'subscriptions' | 'hiddenPosts';

/** How far a republication has come in rebuilding a projection, whichever replicas get its parts. */
export interface RebuildRow {
  /** `<projection>/<run>`: in the order of their beginning. */
  _id: string;
  projection: ProjectionName;
  /** When the first partition's start arrived, by the store's clock. */
  openedAt: Date;
  /** The partitions whose end has arrived. */
  ended: number[];
  /** All is as the owner says; what processes remember of before is to be forgotten. */
  finished: boolean;
  /** The store's own time of the last change: what replicas' tails follow. */
  changedAt: Date;
}

export const rebuildSchema = new Schema<RebuildRow>(
  {
    _id: { type: String, required: true },
    projection: { type: String, required: true },
    openedAt: Date,
    ended: { type: [Number], required: true },
    finished: { type: Boolean, required: true },
    changedAt: Date,
  },
  SCHEMA_OPTIONS,
);

rebuildSchema.index({ changedAt: 1, _id: 1 });
