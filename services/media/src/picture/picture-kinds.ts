import { gifShape, isGif } from './gif-shape.js';
import { isJpeg, jpegShape } from './jpeg-shape.js';
import { Pieces, UnreadablePicture } from './pieces.js';
import { isPng, pngShape } from './png-shape.js';
import type { Shape } from './shape.js';
import { isWebp, webpShape } from './webp-shape.js';

export interface PictureKind {
  name: string;
  /** By the first bytes. */
  is(bytes: Buffer): boolean;
  /** The most segments, chunks or blocks of a file. */
  mostPieces: number;
  shapeOf(bytes: Buffer, pieces: Pieces): Shape;
}

/** Files of 10 MB by the usual programs have some hundred, each of 8 KB or more. */
const MOST_PIECES = 5_000;
/** Of at most 255 bytes each: so many are needed where the first frame has all of 10 MB. */
const MOST_GIF_BLOCKS = 50_000;

/** The kinds that are taken (MEDIA-3): the decoder is chosen by their first bytes, never by a name. */
export const PICTURE_KINDS: readonly PictureKind[] = [
  { name: 'JPEG', is: isJpeg, mostPieces: MOST_PIECES, shapeOf: jpegShape },
  { name: 'PNG', is: isPng, mostPieces: MOST_PIECES, shapeOf: pngShape },
  { name: 'WebP', is: isWebp, mostPieces: MOST_PIECES, shapeOf: webpShape },
  { name: 'GIF', is: isGif, mostPieces: MOST_GIF_BLOCKS, shapeOf: gifShape },
];

export const kindOf = (bytes: Buffer): PictureKind | undefined => PICTURE_KINDS.find(({ is }) => is(bytes));

export const MAX_PIXELS = 40_000_000;
/** Longer ones are made to keep a worker busy: no camera takes them, and each line of them is decoded whole. */
const MAX_SIDE = 20_000;
/**
 * What the decoder may hold of a picture at once. Enough for a progressive JPEG of 26 megapixels with the usual halved colours (3 bytes a
 * pixel), of 13 with whole ones (6), and for all baseline JPEGs and plain PNGs, of which it holds some rows.
 */
const MAX_HELD_BYTES = 80_000_000;

/** What the decoder is to read of a file. Throws UnreadablePicture for one that it is not to see (MEDIA-3). */
export function bytesToDecode(bytes: Buffer): Buffer {
  const kind = kindOf(bytes);
  if (!kind) throw new UnreadablePicture('it is of no kind that is taken');
  const shape = kind.shapeOf(bytes, new Pieces(kind.mostPieces));
  const { width, height, heldBytes } = shape;
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE)
    throw new UnreadablePicture(`it has ${width} x ${height} pixels`);
  if (heldBytes > MAX_HELD_BYTES) throw new UnreadablePicture(`it takes ${heldBytes} bytes to decode`);
  return shape.bytes;
}
