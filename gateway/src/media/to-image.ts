import type { Image as ImageMessage, ImageFacts } from '@pulso/contracts/media/v1/media';
import { required } from '../user-ref/to-user-ref.js';
import type { Image } from './image.dto.js';

/** An image that no post has yet: without texts. */
export function toUploadedImage({ facts, url, thumbnail }: ImageMessage): Image {
  const known = required(facts, 'facts');
  const { id, blurhash } = known;
  return { id, url, thumbnail, alt: '', caption: '', blurhash, metadata: toImageMetadata(known) };
}

type Measured = Pick<ImageFacts, 'originalName' | 'originalSize' | 'bytes' | 'width' | 'height'>;

/** How much smaller the stored file is than the original, to two decimals; 1 where its size is not known. */
export function toImageMetadata(measured: Measured): Image['metadata'] {
  const { originalName, originalSize, bytes: compressedSize, width, height } = measured;
  const ratio = originalSize === 0 || compressedSize === 0 ? 1 : originalSize / compressedSize;
  return {
    originalName,
    originalSize,
    compressedSize,
    compressionRatio: Math.round(ratio * 100) / 100,
    dimensions: { width, height },
  };
}
