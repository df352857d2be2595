import { encode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import type { AssetPurpose } from '../store/asset.js';
import type { Picture } from './picture-messages.js';
import { bytesToDecode, MAX_PIXELS } from './picture-kinds.js';
import { UnreadablePicture } from './pieces.js';

const FULL = { width: 1920, height: 1080, quality: 80 };
const THUMBNAIL = { side: 300, quality: 70 };
const AVATAR = { side: 512, quality: 80 };
const BLURHASH = { side: 32, across: 4, down: 3 };

/** What our machine, and not the file, is to blame for. */
const OURS = /memory|alloc|resource/i;

// The library reads many more formats; none of their decoders is ever to see what a user sends.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
});
// One thread a picture: how many pictures are worked on at once is bounded by the caller.
sharp.concurrency(1);
sharp.cache(false);

interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 3 };
}

/**
 * Brings an upload to our sizes (MEDIA-2): decoded by its content, turned as its camera says, on white, without metadata,
 * of a GIF its first frame (MEDIA-4). Throws UnreadablePicture where the file is to blame, any other error where not. Runs in a
 * process of its own: see PictureProcesses.
 */
export async function renderPicture(bytes: Buffer, purpose: AssetPurpose): Promise<Picture> {
  const pixels = await decode(bytes, purpose);
  const { width, height } = pixels.raw;
  const hash = await blurhashOf(pixels);
  const jpeg = (image: Sharp, quality: number) => image.jpeg({ quality }).toBuffer();
  const picture = () => sharp(pixels.data, { raw: pixels.raw });
  if (purpose === 'avatar') {
    const main = await jpeg(picture(), AVATAR.quality);
    return { width, height, blurhash: hash, files: [{ variant: 'avatar', bytes: main }] };
  }
  const small = {
    width: THUMBNAIL.side,
    height: THUMBNAIL.side,
    fit: 'inside',
    withoutEnlargement: true,
  } as const;
  return {
    ...{ width, height, blurhash: hash },
    files: [
      { variant: 'full', bytes: await jpeg(picture(), FULL.quality) },
      { variant: 'thumbnail', bytes: await jpeg(picture().resize(small), THUMBNAIL.quality) },
    ],
  };
}

/** The pixels at the size of the main file. */
async function decode(bytes: Buffer, purpose: AssetPurpose): Promise<Pixels> {
  try {
    const source = sharp(bytesToDecode(bytes), {
      limitInputPixels: MAX_PIXELS,
      failOn: 'error',
      pages: 1,
      sequentialRead: true,
      // As an option it turns what has been made small, and not the whole picture.
      autoOrient: true,
    });
    const { autoOrient } = await source.metadata();
    const side = Math.min(autoOrient.width, autoOrient.height, AVATAR.side);
    const size =
      purpose === 'avatar'
        ? ({ width: side, height: side, fit: 'cover' } as const)
        : ({ width: FULL.width, height: FULL.height, fit: 'inside', withoutEnlargement: true } as const);
    const { data, info } = await source
      .resize(size)
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, raw: { width: info.width, height: info.height, channels: 3 } };
  } catch (error) {
    if (error instanceof UnreadablePicture || !(error instanceof Error) || OURS.test(error.message))
      throw error;
    throw new UnreadablePicture(error.message, { cause: error });
  }
}

async function blurhashOf({ data, raw }: Pixels): Promise<string> {
  const { side, across, down } = BLURHASH;
  const { data: small } = await sharp(data, { raw })
    .resize({ width: side, height: side, fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encode(new Uint8ClampedArray(small), side, side, across, down);
}
