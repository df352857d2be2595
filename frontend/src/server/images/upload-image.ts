import { NetworkError } from '../http/api-error.js';
import type { Image } from '../../api/types.js';
import { client, unwrap } from '../client/client.js';
import type { PreparedImage } from './prepare-image.js';

/** A file that the server takes, and what the original was called. */
type SentImage = Pick<PreparedImage, 'blob' | 'originalName' | 'originalSize'>;

/** What an image is for: it can be nothing else later. */
export type ImagePurpose = 'post' | 'avatar';

/**
 * POST /api/media/images. Sent a second time where there was no answer; the server forgets the first one, if it got it, after a
 * day (HTTP-35).
 * @throws as `unwrap` does, and the signal's reason.
 */
export async function uploadImage(
  image: SentImage,
  purpose: ImagePurpose,
  signal?: AbortSignal,
): Promise<Image> {
  try {
    return await send(image, purpose, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof NetworkError) || !navigator.onLine) throw error;
  }
  return send(image, purpose, signal);
}

function send(image: SentImage, purpose: ImagePurpose, signal?: AbortSignal): Promise<Image> {
  const { blob, originalName, originalSize } = image;
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('originalName', originalName);
  form.append('originalSize', String(originalSize));
  // The last field: the server takes no other one after it.
  form.append('file', blob, 'image.jpg');
  // The document describes a form as an object.
  const body = { purpose, file: '' };
  return unwrap(client.POST('/api/media/images', { body, bodySerializer: () => form, signal }));
}

/** DELETE /api/media/{id}: its room is free at once. @throws as `unwrap` does: `media-attached` where a post has it. */
export async function deleteImage(id: string): Promise<void> {
  const target = { path: { id } };
  // Also sent where the page is being left.
  await unwrap(client.DELETE('/api/media/{id}', { params: target, keepalive: true }));
}

/** GET /api/media/{id}: an own image, with addresses that hold for 5 minutes. @throws as `unwrap` does. */
export const getImage = async (id: string, signal?: AbortSignal): Promise<Image> =>
  // A video has an address of the same kind.
  (await unwrap(client.GET('/api/media/{id}', { params: { path: { id } }, signal }))) as Image;
