import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/** Two counters, absent while 0, that say whether what a process remembers of a viewer still holds; see `Viewers`. */
export interface ViewerRow {
  /** The user's id. */
  _id: string;
  /** Grows after every change of the viewer's follows, subscriptions and blocks (either way). */
  graphVersion?: number;
  /** Grows after every change of the viewer's likes. */
  likeVersion?: number;
  /** The store's own time of the last change: what replicas' tails follow. */
  changedAt: Date;
}

const viewerSchema = new Schema<ViewerRow>(
  {
    _id: { type: String, required: true },
    graphVersion: Number,
    likeVersion: Number,
    changedAt: Date,
  },
  SCHEMA_OPTIONS,
);

viewerSchema.index({ changedAt: 1, _id: 1 });

export class ViewerRows extends collection<ViewerRow>({ name: 'viewers', schema: viewerSchema }) {}
