import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const SCRIPT = '<html><script>alert("hostile")</script>';
const latin = (text: string) => Buffer.from(text, 'latin1');

/** What inflates to 100 MB. */
export const HUNDRED_MB = deflateSync(Buffer.alloc(100_000_000));

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([latin(type), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Depth, colour, compression, filter and interlacing, as the header of a PNG has them. */
const RGB = [8, 2, 0, 0, 0] as const;
export const INTERLACED_RGBA_16 = [16, 6, 0, 0, 1] as const;

/** A black PNG; `pixels` in place of its own compressed ones, `more` before them. */
export function aPng(
  width: number,
  height: number,
  { more = [] as Buffer[], pixels = undefined as Buffer | undefined, format = RGB as readonly number[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(format, 8);
  const data = pixels ?? deflateSync(Buffer.alloc(height * (1 + 3 * width)));
  return Buffer.concat([
    ...[SIGNATURE, pngChunk('IHDR', header), ...more],
    ...[pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))],
  ]);
}

/** A text of a PNG, which the decoder would inflate. */
export const compressedText = (data: Buffer) => pngChunk('zTXt', Buffer.concat([latin('x\0\0'), data]));
export const colourProfile = (data: Buffer) => pngChunk('iCCP', Buffer.concat([latin('x\0\0'), data]));

/** A GIF of two colours, with so many frames of its whole size. */
export function aGif(width: number, height: number, frames: number): Buffer {
  const head = Buffer.concat([latin('GIF89a'), u16(width, height), Buffer.from([0x80, 0, 0])]);
  const palette = Buffer.from([0, 0, 0, 255, 255, 255]);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]);
  const place = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), u16(width, height), Buffer.from([0])]);
  const frame = Buffer.concat([control, place, Buffer.from([2, 2, 0x44, 1, 0])]);
  return Buffer.concat([head, palette, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

/** A JPEG with segments after its begin: `marker` is the second byte of each, of at most 65,533 bytes. */
export function withSegments(jpeg: Buffer, marker: number, segments: readonly Uint8Array[]): Buffer {
  const made = segments.map((data) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...made, jpeg.subarray(2)]);
}

/** The same JPEG, baseline or progressive, which says that it has other sides. */
export function withSides(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = Math.max(
    ...[0xc0, 0xc2].map((marker) => changed.indexOf(Buffer.from([0xff, marker, 0, 0x11]))),
  );
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}

/** A progressive JPEG whose last scan comes so many times more. */
export function withScans(jpeg: Buffer, more: number): Buffer {
  const end = jpeg.length - 2;
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), end);
  return Buffer.concat([
    jpeg.subarray(0, end),
    ...Array.from({ length: more }, () => scan),
    jpeg.subarray(end),
  ]);
}

/** A JPEG with metadata of some 9 MB, which says who made it and where. */
export function withMetadata(jpeg: Buffer): Buffer {
  const exif = Buffer.concat([latin('Exif\0\0'), latin('secret place'), Buffer.alloc(65_000, 65)]);
  return withSegments(
    jpeg,
    0xe1,
    Array.from({ length: 140 }, () => exif),
  );
}

/** A JPEG with a colour profile of some 9 MB, which is none. */
export function withProfile(jpeg: Buffer): Buffer {
  const parts = Array.from({ length: 140 }, (_, index) =>
    Buffer.concat([latin('ICC_PROFILE\0'), Buffer.from([index + 1, 140]), Buffer.alloc(65_000, 1)]),
  );
  return withSegments(jpeg, 0xe2, parts);
}
