const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before a chunk's data, its checksum after it. */
const HEAD_BYTES = 8;
const CHUNK_REST = 12;

/** What a picture may look different without: pixels, palette, transparency, colour space and orientation. */
const NEEDED = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'eXIf']);

export const isPng = (bytes: Buffer) => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/**
 * A PNG without its texts and all else that is not needed to show it. The decoder would inflate each compressed text, and
 * a file of 8 MB can hold 8 GB of them: a quarter of a minute of work for one upload (MEDIA-3). A file that is cut off, or
 * no PNG, stays as it is from there on; the decoder judges it.
 */
export function withoutTexts(bytes: Buffer): Buffer {
  if (!isPng(bytes)) return bytes;
  const kept = [bytes.subarray(0, SIGNATURE.length)];
  const seen = new Set<string>();
  let at = SIGNATURE.length;
  while (at + CHUNK_REST <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + HEAD_BYTES);
    const end = at + CHUNK_REST + bytes.readUInt32BE(at);
    // Of all but the pixels there is one chunk, or the file is not as it should be.
    if (NEEDED.has(type) && (type === 'IDAT' || !seen.has(type))) {
      seen.add(type);
      kept.push(bytes.subarray(at, end));
    }
    at = end;
    if (type === 'IEND') break;
  }
  return Buffer.concat(kept);
}
