import { VideoStatus } from '@pulso/contracts/media/v1/media';
import { z } from 'zod';

/** As ImageFacts of media.proto; sizes in bytes. */
const imageFacts = z.strictObject({
  id: z.string(),
  width: z.number(),
  height: z.number(),
  blurhash: z.string(),
  originalName: z.string(),
  originalSize: z.number(),
  bytes: z.number(),
});

/** As VideoFacts of media.proto. */
const videoFacts = z.strictObject({
  id: z.string(),
  version: z.number(),
  status: z.enum(VideoStatus),
  problem: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.number(),
  durationMs: z.number(),
  width: z.number(),
  height: z.number(),
});

/** Media's grant of images, or of a video, for one post of the caller (MEDIA-17). */
export const postMediaTicket = {
  audience: 'posts',
  facts: z.strictObject({ postId: z.string(), images: z.array(imageFacts), video: videoFacts.optional() }),
};

/** Media's grant of one image for the caller's profile (MEDIA-6). */
export const profileImageTicket = {
  audience: 'identity',
  facts: z.strictObject({ imageId: z.string() }),
};
