import type { VideoFacts } from '@pulso/contracts/media/v1/media';
import { collection } from '@pulso/platform/mongo/collection';
import { PROJECTED_FIELDS, type ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { SCHEMA_OPTIONS } from '@pulso/platform/mongo/schema-options';
import { Schema } from 'mongoose';
import { videoFactsSchema } from '../store/post.schema.js';

/** From pulso.media.video.v1: what has become of the uploaded video `_id`. */
export interface VideoRow extends ProjectedRow {
  /** Null once it is deleted. */
  facts: VideoFacts | null;
}

const videoSchema = new Schema<VideoRow>({ ...PROJECTED_FIELDS, facts: videoFactsSchema }, SCHEMA_OPTIONS);

export class VideoRows extends collection<VideoRow>({ name: 'videos', schema: videoSchema }) {}
