import { type Pieces, UnreadablePicture } from './pieces.js';
import type { Shape } from './shape.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before a chunk's data, its checksum after it. */
const HEAD_BYTES = 8;
const CHUNK_REST = 12;
/** Of the first chunk. */
const HEADER_DATA = SIGNATURE.length + HEAD_BYTES;
const HEADER_BYTES = 13;

/** What a picture may look different without: pixels, palette, transparency, colour space and orientation. */
const NEEDED = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'eXIf']);

/** What a pixel has of each kind of colour; a palette's colours are written out, and may be transparent. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };

export const isPng = (bytes: Buffer) => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/**
 * Reads a PNG's header, and leaves out what is not needed to show it. Of an interlaced picture the decoder holds every pixel, of
 * another one some rows. Throws UnreadablePicture.
 */
export function pngShape(bytes: Buffer, pieces: Pieces): Shape {
  const header = bytes.subarray(HEADER_DATA, HEADER_DATA + HEADER_BYTES);
  const channels = CHANNELS[header[9] ?? -1];
  if (header.length < HEADER_BYTES || channels === undefined)
    throw new UnreadablePicture('its header is broken');
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]!];
  const isInterlaced = header[12] !== 0;
  return {
    ...{ width, height },
    heldBytes: isInterlaced ? width * height * channels * Math.ceil(depth / 8) : 0,
    bytes: withoutTexts(bytes, pieces),
  };
}

/**
 * A PNG without its texts and all else that is not needed to show it. The decoder would inflate each compressed text, and
 * a file of 8 MB can hold 8 GB of them: a quarter of a minute of work for one upload (MEDIA-3). A file that is cut off
 * stays as it is from there on; the decoder judges it.
 */
function withoutTexts(bytes: Buffer, pieces: Pieces): Buffer {
  const kept: Buffer[] = [];
  const seen = new Set<string>();
  // What is needed stands together, mostly, and is copied at once.
  let begin = 0;
  let at = SIGNATURE.length;
  while (at + CHUNK_REST <= bytes.length) {
    pieces.next();
    const type = bytes.toString('latin1', at + 4, at + HEAD_BYTES);
    const end = at + CHUNK_REST + bytes.readUInt32BE(at);
    // Of all but the pixels there is one chunk, or the file is not as it should be.
    if (NEEDED.has(type) && (type === 'IDAT' || !seen.has(type))) seen.add(type);
    else {
      kept.push(bytes.subarray(begin, at));
      begin = end;
    }
    at = end;
    if (type === 'IEND') break;
  }
  kept.push(bytes.subarray(begin, at));
  return kept.length === 1 ? kept[0]! : Buffer.concat(kept);
}
