import { collection } from '@pulso/platform/mongo/collection';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';

/**
 * Two counters, absent while 0, that tell whether what a process has cached of a viewer is still valid; see
 * `Viewers`.
 */
export interface ViewerRow {
  /** The user's id. */
  _id: string;
  /** Grows after every change of the viewer's follows, subscriptions, and blocks in either direction. */
  graphVersion?: number;
  /** Grows after every change of the viewer's likes. */
  likeVersion?: number;
  /** The store's time of the last change, which the change tails of the replicas follow. */
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
