import { ImageError } from '../../../server/images/render-jpeg.js';
import type { Jpeg } from '../../../server/images/render-jpeg.js';
import { MOST_SIDE, sideOf } from './crop.js';
import type { Crop } from './crop.js';

/** As of other images (MEDIA-21). */
const JPEG_QUALITY = 0.8;

/**
 * The square of a loaded picture as JPEG, on white, at most 1024 pixels wide; smaller ones are not made larger.
 * @throws ImageError
 */
export async function drawCrop(picture: HTMLImageElement, crop: Crop): Promise<Jpeg> {
  const side = sideOf({ width: picture.naturalWidth, height: picture.naturalHeight }, crop);
  const width = Math.max(1, Math.min(MOST_SIDE, Math.round(side)));
  try {
    const canvas = Object.assign(document.createElement('canvas'), { width, height: width });
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, width);
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, width, width);
    return { blob: await encode(canvas), width, height: width };
  } catch (cause) {
    throw new ImageError('compress', { cause });
  }
}

const encode = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the canvas gives no JPEG'))),
      'image/jpeg',
      JPEG_QUALITY,
    ),
  );
