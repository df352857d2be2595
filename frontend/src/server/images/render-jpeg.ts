/** The most that the server keeps of a picture (MEDIA-2); larger ones would only take longer to send. */
const MAX_WIDTH = 1920;
const MAX_HEIGHT = 1080;
const JPEG_QUALITY = 0.8;

/** What did not work: to read the file as a picture, or to write it as JPEG. */
export type ImageFault = 'load' | 'compress';

export interface Jpeg {
  blob: Blob;
  /** In pixels, as it is shown: turned as the camera says. */
  width: number;
  height: number;
}

/** Says what did not work; its text is made where it is shown. */
export class ImageError extends Error {
  override readonly name = 'ImageError';

  constructor(
    readonly reason: ImageFault,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/**
 * A picture of any kind that the browser reads, as JPEG of at most 1920x1080 and quality 0.8, on white; of a GIF its first frame
 * (MEDIA-4). A JPEG of that size that would not become smaller stays as it is. Runs in a worker and in the page.
 * @throws ImageError
 */
export async function renderJpeg(file: Blob): Promise<Jpeg> {
  const picture = await decode(file);
  try {
    const scale = Math.min(1, MAX_WIDTH / picture.width, MAX_HEIGHT / picture.height);
    const width = Math.max(1, Math.round(picture.width * scale));
    const height = Math.max(1, Math.round(picture.height * scale));
    const blob = await draw(picture, width, height);
    const isSmallEnough = file.type === 'image/jpeg' && scale === 1 && file.size <= blob.size;
    return { blob: isSmallEnough ? file : blob, width, height };
  } finally {
    picture.close();
  }
}

async function decode(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch (cause) {
    throw new ImageError('load', { cause });
  }
}

async function draw(picture: ImageBitmap, width: number, height: number): Promise<Blob> {
  try {
    const canvas = newCanvas(width, height);
    const context = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
    // JPEG has no transparency.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, width, height);
    return await encode(canvas);
  } catch (cause) {
    throw new ImageError('compress', { cause });
  }
}

function newCanvas(width: number, height: number): OffscreenCanvas | HTMLCanvasElement {
  if (typeof OffscreenCanvas !== 'undefined') return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement('canvas'), { width, height });
}

function encode(canvas: OffscreenCanvas | HTMLCanvasElement): Promise<Blob> {
  const type = 'image/jpeg';
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type, quality: JPEG_QUALITY });
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the canvas gives no JPEG'))),
      type,
      JPEG_QUALITY,
    ),
  );
}
