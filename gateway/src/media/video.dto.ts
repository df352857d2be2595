import { z } from 'zod';
import { EXAMPLE } from '../openapi/examples.js';
import { answer } from '../validation/named-schemas.js';
import { exampleImage, imageSchema } from './image.dto.js';
import { count, id } from '../user-ref/user-ref.dto.js';

/** An uploaded video; of a post, or of its owner alone. */
export const uploadedVideo = z.object({
  type: z.literal('upload'),
  id,
  status: z.enum(['processing', 'ready', 'failed']),
  problem: z.string().nullable().meta({ description: 'Why it has failed; null unless it has' }),
  url: z.string().meta({ description: 'Empty unless it is ready' }),
  thumbnail: z.string().meta({ description: 'Empty unless it is ready' }),
  metadata: z.object({
    duration: z.number().min(0).meta({ description: 'In seconds; 0 unless it is ready' }),
    size: count,
    name: z.string(),
    type: z.string(),
    width: count,
    height: count,
  }),
});

/** The same as an answer of its own. */
export const ownVideoSchema = answer('UploadedVideo', z.object({ ...uploadedVideo.shape }), {
  ...{ type: 'upload', id: EXAMPLE.mediaId, status: 'processing', problem: null, url: '', thumbnail: '' },
  metadata: { duration: 0, size: 7_340_032, name: 'start.mp4', type: 'video/mp4', width: 0, height: 0 },
});

/** Whatever of the two an id names. */
export const mediaSchema = answer('Media', z.union([imageSchema, ownVideoSchema]), exampleImage);

export type UploadedVideo = z.output<typeof uploadedVideo>;
