import { z } from 'zod';
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

export type UploadedVideo = z.output<typeof uploadedVideo>;
