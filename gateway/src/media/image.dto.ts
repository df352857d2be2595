import { z } from 'zod';
import { answer } from '../validation/named-schemas.js';
import { EXAMPLE } from '../openapi/examples.js';
import { count, id } from '../user-ref/user-ref.dto.js';

export const exampleImage = {
  id: EXAMPLE.mediaId,
  url: `/media/${EXAMPLE.mediaId}/full`,
  thumbnail: `/media/${EXAMPLE.mediaId}/thumbnail`,
  alt: 'A rower at the catch',
  caption: '',
  blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
  metadata: {
    originalName: 'rowing.jpg',
    originalSize: 2_400_000,
    compressedSize: 310_000,
    compressionRatio: 7.74,
    dimensions: { width: 1920, height: 1080 },
  },
};

export const imageSchema = answer(
  'Image',
  z.object({
    id,
    url: z.string(),
    thumbnail: z.string(),
    alt: z.string(),
    caption: z.string(),
    blurhash: z.string(),
    metadata: z.object({
      originalName: z.string(),
      originalSize: count,
      compressedSize: count,
      compressionRatio: z.number().min(0),
      dimensions: z.object({ width: count, height: count }),
    }),
  }),
  exampleImage,
);

export type Image = z.output<typeof imageSchema>;
