import { type Pieces, UnreadablePicture } from './pieces.js';
import type { Shape } from './shape.js';

const HEAD_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const IMAGE_HEAD_BYTES = 10;
const TRAILER = Buffer.from([0x3b]);
/** Of the decoder's canvas. */
const BYTES_PER_PIXEL = 4;

export const isGif = (bytes: Buffer) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6));

/**
 * Reads a GIF up to the end of its first frame and leaves out the others, of which a file may have a hundred thousand (MEDIA-4).
 * Throws UnreadablePicture.
 */
export function gifShape(bytes: Buffer, pieces: Pieces): Shape {
  if (bytes.length < HEAD_BYTES) throw new UnreadablePicture('it is cut off');
  for (let at = HEAD_BYTES + paletteBytes(bytes[10]!); ;) {
    pieces.next();
    const kind = bytes[at];
    if (kind === IMAGE) return firstFrame(bytes, at, pieces);
    // Some programs leave an end of blocks too many.
    if (kind === 0) at += 1;
    else if (kind === EXTENSION) at = afterBlocks(bytes, at + 2, pieces);
    else throw new UnreadablePicture('it has no frame');
  }
}

function firstFrame(bytes: Buffer, at: number, pieces: Pieces): Shape {
  if (at + IMAGE_HEAD_BYTES > bytes.length) throw new UnreadablePicture('it is cut off');
  const u16 = (offset: number) => bytes.readUInt16LE(offset);
  const width = Math.max(u16(6), u16(at + 1) + u16(at + 5));
  const height = Math.max(u16(8), u16(at + 3) + u16(at + 7));
  // Behind the colours stands the size of the first code.
  const end = afterBlocks(bytes, at + IMAGE_HEAD_BYTES + paletteBytes(bytes[at + 9]!) + 1, pieces);
  return {
    ...{ width, height },
    heldBytes: width * height * BYTES_PER_PIXEL,
    // One that is cut off is the decoder's to judge.
    bytes: end < bytes.length ? Buffer.concat([bytes.subarray(0, end), TRAILER]) : bytes,
  };
}

/** Of three bytes for each of a power of two of colours. */
const paletteBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Where blocks end that each begin with their length; the file's length if they have no end. */
function afterBlocks(bytes: Buffer, from: number, pieces: Pieces): number {
  for (let at = from; at < bytes.length;) {
    pieces.next();
    const length = bytes[at]!;
    at += 1 + length;
    if (length === 0) return at;
  }
  return bytes.length;
}
