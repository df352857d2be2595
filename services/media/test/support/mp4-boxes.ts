/** Where the content of the first box with this name begins in an mp4. */
function contentOf(file: Buffer, name: string): number {
  const at = file.indexOf(name, 0, 'latin1');
  if (at < 0) throw new Error(`there is no box ${name}`);
  return at + name.length;
}

const FIXED = 0x10000;

/** An mp4 whose first track is shown turned to the right by a quarter. */
export function turned(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  // After version and flags, two times, an id, a length and others.
  let at = contentOf(copy, 'tkhd') + 40;
  for (const number of [0, FIXED, 0, -FIXED, 0, 0, 0, 0, 0x40000000]) at = copy.writeInt32BE(number, at);
  return copy;
}

/** An mp4 with one track whose pictures all come at once. */
export function timeless(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const times = contentOf(copy, 'stts');
  const entries = copy.readUInt32BE(times + 4);
  for (let entry = 0; entry < entries; entry += 1) copy.writeUInt32BE(0, times + 12 + 8 * entry);
  copy.writeUInt32BE(0, contentOf(copy, 'mvhd') + 16);
  copy.writeUInt32BE(0, contentOf(copy, 'tkhd') + 20);
  copy.writeUInt32BE(0, contentOf(copy, 'mdhd') + 16);
  copy.writeUInt32BE(0, contentOf(copy, 'elst') + 8);
  return copy;
}

/** A box of an mp4 that says that it has so many bytes of content. */
export function box(name: string, content: Buffer, claimed = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE((claimed + 8) >>> 0, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** An mp4 whose first track says that its pictures have other sides than they have. */
export function claimedSides(file: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(file);
  // Of the description of its samples, after what all kinds of them have.
  const entry = contentOf(copy, 'stsd') + 8 + 8;
  copy.writeUInt16BE(width, entry + 24);
  copy.writeUInt16BE(height, entry + 26);
  return copy;
}
