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

/** Media's grant of images for one post of the caller (MEDIA-17). */
export const postImagesTicket = {
  audience: 'posts',
  facts: z.strictObject({ postId: z.string(), images: z.array(imageFacts) }),
};

/** Media's grant of one image for the caller's profile (MEDIA-6). */
export const profileImageTicket = {
  audience: 'identity',
  facts: z.strictObject({ imageId: z.string() }),
};
