import { encode } from 'blurhash';
import sharp, { type Sharp } from 'sharp';
import { unsupportedImage } from '../asset/asset-errors.js';
import type { AssetPurpose, Variant } from '../asset/asset.js';
import { isPng, withoutTexts } from './png-chunks.js';

const MAX_PIXELS = 40_000_000;
/** Longer ones are made to keep a worker busy: no camera takes them, and each line of them is decoded whole. */
const MAX_SIDE = 20_000;
const TIMEOUT_SECONDS = 20;
const FULL = { width: 1920, height: 1080, quality: 80 };
const THUMBNAIL = { side: 300, quality: 70 };
const AVATAR = { side: 512, quality: 80 };
const BLURHASH = { side: 32, across: 4, down: 3 };

/** What our machine, and not the file, is to blame for. */
const OURS = /timeout|memory|alloc|resource/i;

/** The first bytes of the kinds that are taken (MEDIA-3): the decoder is chosen by them, never by a name. */
const KINDS: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  isPng,
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)),
];

// The library reads many more formats; none of their decoders is ever to see what a user sends.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
});
// One thread a picture: how many pictures are worked on at once is bounded by the caller.
sharp.concurrency(1);
sharp.cache(false);

export interface Picture {
  width: number;
  height: number;
  blurhash: string;
  /** JPEG files, without metadata; the first is the main one. */
  files: readonly { variant: Variant; bytes: Buffer }[];
}

interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 3 };
}

/**
 * Brings an upload to our sizes (MEDIA-2): decoded by its content, turned as its camera says, on white, without metadata,
 * of a GIF its first frame (MEDIA-4). Throws `unsupported-media` where the file is to blame, any other error where not.
 */
export async function renderPicture(bytes: Buffer, purpose: AssetPurpose): Promise<Picture> {
  if (!KINDS.some((is) => is(bytes))) throw unsupportedImage();
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
    const source = sharp(withoutTexts(bytes), {
      limitInputPixels: MAX_PIXELS,
      failOn: 'error',
      pages: 1,
      sequentialRead: true,
    });
    const { autoOrient } = await source.metadata();
    if (Math.max(autoOrient.width, autoOrient.height) > MAX_SIDE) throw unsupportedImage();
    const side = Math.min(autoOrient.width, autoOrient.height, AVATAR.side);
    const size =
      purpose === 'avatar'
        ? ({ width: side, height: side, fit: 'cover' } as const)
        : ({ width: FULL.width, height: FULL.height, fit: 'inside', withoutEnlargement: true } as const);
    const { data, info } = await source
      .autoOrient()
      .resize(size)
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .timeout({ seconds: TIMEOUT_SECONDS })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, raw: { width: info.width, height: info.height, channels: 3 } };
  } catch (error) {
    if (error instanceof Error && OURS.test(error.message)) throw error;
    throw unsupportedImage();
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
