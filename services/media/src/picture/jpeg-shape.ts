import { type Pieces, UnreadablePicture } from './pieces.js';
import type { Shape } from './shape.js';

const MARKER = 0xff;
const TEM = 0x01;
const FIRST_SOF = 0xc0;
const LAST_SOF = 0xcf;
/** In the range of the frames, and none: DHT, JPG and DAC. */
const NO_SOF = new Set([0xc4, 0xc8, 0xcc]);
/** Baseline, extended, and sequential in arithmetic coding: their rows come one after the other. */
const SEQUENTIAL = new Set([0xc0, 0xc1, 0xc9]);
const FIRST_RST = 0xd0;
const LAST_RST = 0xd7;
const EOI = 0xd9;
const SOS = 0xda;

/** Twice as many as the usual scripts have. Each is a walk over the whole picture, also one that holds nothing. */
const MOST_SCANS = 20;
const MOST_COMPONENTS = 4;
const MOST_SAMPLING = 4;
const BLOCK_SIDE = 8;
/** Of a block's coefficients. */
const BLOCK_BYTES = 128;

interface Frame {
  isSequential: boolean;
  width: number;
  height: number;
  /** The sampling factors. */
  components: readonly { across: number; down: number }[];
}

export const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([MARKER, 0xd8, MARKER]));

/**
 * Reads a JPEG's segments, and counts its scans, as the decoder's library does. It keeps all coefficients of a picture that
 * comes in several scans, as progressive ones do. Throws UnreadablePicture.
 */
export function jpegShape(bytes: Buffer, pieces: Pieces): Shape {
  let frame: Frame | undefined;
  let scans = 0;
  for (let at = markerFrom(bytes, 2); at + 3 <= bytes.length; at = markerFrom(bytes, at)) {
    pieces.next();
    const marker = bytes[at]!;
    if (marker === EOI) break;
    const length = bytes.readUInt16BE(at + 1);
    if (length < 2) throw new UnreadablePicture('a segment is shorter than its length');
    const segment = bytes.subarray(at + 3, at + 1 + length);
    if (isSof(marker)) {
      if (frame) throw new UnreadablePicture('it has two frames');
      frame = frameOf(segment, marker);
    } else if (marker === SOS) {
      if (!frame) throw new UnreadablePicture('it has a scan before its frame');
      scans += 1;
      const isWhole = segment[0] === frame.components.length;
      if (scans === 1 && frame.isSequential && isWhole) return { ...sizeOf(frame), heldBytes: 0, bytes };
      if (scans > MOST_SCANS) throw new UnreadablePicture('it has too many scans');
    }
    at += 1 + length;
  }
  if (!frame || scans === 0) throw new UnreadablePicture('it has no picture');
  return { ...sizeOf(frame), heldBytes: coefficientBytes(frame), bytes };
}

/**
 * Where the next marker's code stands, in the head or behind a scan, the file's length if there is none. Fill bytes, stuffed
 * zeros, and markers that have no segment are passed over.
 */
function markerFrom(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== MARKER) continue;
    while (bytes[at] === MARKER) at += 1;
    const code = bytes[at];
    if (code === undefined) break;
    if (code > TEM && !(code >= FIRST_RST && code <= LAST_RST)) return at;
  }
  return bytes.length;
}

const isSof = (marker: number) => marker >= FIRST_SOF && marker <= LAST_SOF && !NO_SOF.has(marker);
const sizeOf = ({ width, height }: Frame) => ({ width, height });

function frameOf(segment: Buffer, marker: number): Frame {
  const count = segment[5];
  if (count === undefined || count < 1 || count > MOST_COMPONENTS || segment.length < 6 + 3 * count)
    throw new UnreadablePicture('its frame is broken');
  const components = Array.from({ length: count }, (_, index) => {
    const sampling = segment[7 + 3 * index]!;
    return { across: sampling >> 4, down: sampling & 0x0f };
  });
  const isSampled = (factor: number) => factor >= 1 && factor <= MOST_SAMPLING;
  if (!components.every(({ across, down }) => isSampled(across) && isSampled(down)))
    throw new UnreadablePicture('its frame is broken');
  return {
    isSequential: SEQUENTIAL.has(marker),
    height: segment.readUInt16BE(1),
    width: segment.readUInt16BE(3),
    components,
  };
}

function coefficientBytes({ width, height, components }: Frame): number {
  const across = Math.max(...components.map((component) => component.across));
  const down = Math.max(...components.map((component) => component.down));
  const units = Math.ceil(width / (BLOCK_SIDE * across)) * Math.ceil(height / (BLOCK_SIDE * down));
  const blocks = components.reduce((sum, component) => sum + component.across * component.down, 0);
  return units * blocks * BLOCK_BYTES;
}
