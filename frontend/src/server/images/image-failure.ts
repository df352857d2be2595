import { errorText, hasCode } from '../http/api-error.js';
import { IMAGE_BYTES } from './check-image.js';
import type { ImageRefusal } from './check-image.js';
import { ImageError } from './render-jpeg.js';
import type { FeatureTexts } from '../../i18n/texts.js';
import type { en } from './texts.en.js';

type ImageTexts = FeatureTexts<typeof en>;

export const refusalText = (refusal: ImageRefusal, { images }: ImageTexts): string =>
  refusal === 'kind' ? images.kind : images.size(IMAGE_BYTES / 1024 ** 2);

/** Whether the image itself is to blame, and not what all of them need: network, server, storage. */
export const isOfImage = (error: unknown): boolean =>
  error instanceof ImageError || hasCode(error, 'unsupported-media', 'file-too-large');

/**
 * Why an image could not be prepared or uploaded. Where nothing more is known: 'Failed to process images. Please try again.'
 * Undefined when the session ended, which is told once for all calls.
 */
export function imageFailure(error: unknown, texts: ImageTexts): string | undefined {
  const { images } = texts;
  if (error instanceof ImageError) return images[error.reason];
  if (hasCode(error, 'quota-exceeded')) return images.quotaExceeded;
  if (hasCode(error, 'unsupported-media')) return refusalText('kind', texts);
  if (hasCode(error, 'file-too-large')) return refusalText('size', texts);
  return errorText(error, images.failed, texts);
}
