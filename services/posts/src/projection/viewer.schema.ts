import { Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from '../store/schema-options.js';

/** Two counters that say whether what a process remembers of a viewer still holds; see `Viewers`. */
export interface ViewerRow {
  /** The user's id. */
  _id: string;
  /** Grows after every change of the viewer's follows, subscriptions and blocks (either way). */
  graphVersion: number;
  /** Grows after every change of the viewer's likes. */
  likeVersion: number;
}

export const viewerSchema = new Schema<ViewerRow>(
  {
    _id: { type: String, required: true },
    graphVersion: Number,
    likeVersion: Number,
  },
  SCHEMA_OPTIONS,
);
