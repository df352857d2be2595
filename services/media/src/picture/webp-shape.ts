import { type Pieces, UnreadablePicture } from './pieces.js';
import type { Shape } from './shape.js';

/** `RIFF`, the length, `WEBP`. */
const HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const START_CODE = Buffer.from([0x9d, 0x01, 0x2a]);
const LOSSLESS_SIGNATURE = 0x2f;
const SIDE = 0x3fff;

/** Bytes a pixel, of what is decoded or of what it is decoded from. */
const LOSSY = 3;
const OTHERS = 4;

interface Size {
  width: number;
  height: number;
}

export const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/**
 * Reads a WebP's chunks. The decoder writes out a whole picture, and of an animation its first frame beside the canvas. Throws
 * UnreadablePicture.
 */
export function webpShape(bytes: Buffer, pieces: Pieces): Shape {
  let canvas: Size | undefined;
  let image: Size | undefined;
  let frame: Size | undefined;
  let perPixel = LOSSY;
  for (let at = HEAD_BYTES; at + CHUNK_HEAD_BYTES <= bytes.length;) {
    pieces.next();
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + CHUNK_HEAD_BYTES, at + CHUNK_HEAD_BYTES + length);
    if (type === 'VP8X') canvas ??= sidesAt(data, 4);
    else if (type === 'ANMF') frame ??= sidesAt(data, 6);
    else if (type === 'VP8 ') image ??= lossySize(data);
    else if (type === 'VP8L') image ??= losslessSize(data);
    if (type === 'ALPH' || type === 'VP8L') perPixel = OTHERS;
    // Chunks of an odd length have a byte more.
    at += CHUNK_HEAD_BYTES + length + (length % 2);
  }
  const [width, height] = (['width', 'height'] as const).map((side) =>
    Math.max(...[canvas, image, frame].map((size) => size?.[side] ?? 0)),
  ) as [number, number];
  if (!image && !frame) throw new UnreadablePicture('it has no picture');
  // Of an animation the canvas, too.
  return { width, height, heldBytes: width * height * (frame ? 2 * OTHERS : perPixel), bytes };
}

/** Two sides, less one each, of three bytes. */
function sidesAt(data: Buffer, at: number): Size {
  if (data.length < at + 6) throw new UnreadablePicture('a chunk is cut off');
  return { width: data.readUIntLE(at, 3) + 1, height: data.readUIntLE(at + 3, 3) + 1 };
}

function lossySize(data: Buffer): Size {
  if (data.length < 10 || !data.subarray(3, 6).equals(START_CODE))
    throw new UnreadablePicture('its picture has no begin');
  return { width: data.readUInt16LE(6) & SIDE, height: data.readUInt16LE(8) & SIDE };
}

function losslessSize(data: Buffer): Size {
  if (data.length < 5 || data[0] !== LOSSLESS_SIGNATURE)
    throw new UnreadablePicture('its picture has no begin');
  const sides = data.readUInt32LE(1);
  return { width: (sides & SIDE) + 1, height: ((sides >>> 14) & SIDE) + 1 };
}
