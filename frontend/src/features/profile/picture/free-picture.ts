import { hasCode, isNotFound, SessionOverError } from '../../../server/http/api-error.js';
import { deleteImage } from '../../../server/images/upload-image.js';

/**
 * Deletes an uploaded picture that is not used, so that its storage is free again (MEDIA-14).
 * @returns false where it stays for a day, after which the server deletes it by itself.
 */
export async function freePicture(id: string): Promise<boolean> {
  try {
    await deleteImage(id);
    return true;
  } catch (error) {
    // Gone already, used by another tab, or nobody's here any more.
    return isNotFound(error) || hasCode(error, 'media-attached') || error instanceof SessionOverError;
  }
}
