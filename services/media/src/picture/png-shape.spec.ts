import {
  aPng,
  colourProfile,
  compressedText,
  HUNDRED_MB,
  pngChunk,
} from '../../test/support/hostile-files.js';
import { Pieces, UnreadablePicture } from './pieces.js';
import { pngShape } from './png-shape.js';

const decoded = (png: Buffer) => pngShape(png, new Pieces(1_000)).bytes;

const chunkTypes = (png: Buffer) => {
  const types: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    types.push(png.toString('latin1', at + 4, at + 8));
  return types;
};

// Rule: MEDIA-3
describe('what the decoder sees of a PNG', () => {
  const plain = aPng(4, 4);

  it('are no texts, which it would inflate, however many there are', () => {
    const texts = Array.from({ length: 100 }, () => compressedText(HUNDRED_MB));
    expect(texts.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(9_000_000);
    const others = ['tEXt', 'iTXt', 'acTL', 'zzZz'].map((type) => pngChunk(type, Buffer.from('x\0')));
    expect(decoded(aPng(4, 4, { more: [...texts, ...others] }))).toEqual(plain);
  });

  it('is all that the picture needs, once', () => {
    const more = [
      ...['gAMA', 'cHRM', 'sRGB', 'eXIf', 'PLTE', 'tRNS'].map((type) => pngChunk(type, Buffer.from('x'))),
      colourProfile(Buffer.from('first')),
    ];
    const whole = aPng(4, 4, { more });
    expect(decoded(whole)).toEqual(whole);
    const twice = aPng(4, 4, { more: [...more, colourProfile(HUNDRED_MB), colourProfile(HUNDRED_MB)] });
    expect(decoded(twice)).toEqual(whole);
    const inParts = aPng(4, 4, { more: [pngChunk('IDAT', Buffer.from('part'))] });
    expect(chunkTypes(decoded(inParts))).toEqual(['IHDR', 'IDAT', 'IDAT', 'IEND']);
  });

  it('ends where the picture ends, or where the file is cut off', () => {
    expect(decoded(Buffer.concat([plain, Buffer.from('PK\x03\x04 and more')]))).toEqual(plain);
    for (const length of [33, 40, plain.length - 13]) {
      const cut = decoded(plain.subarray(0, length));
      expect(plain.subarray(0, cut.length)).toEqual(cut);
    }
    for (const length of [8, 9, 28])
      expect(() => decoded(plain.subarray(0, length))).toThrow(UnreadablePicture);
  });

  it('is the same file, not a copy, where nothing is left out', () => {
    const { buffer, byteOffset } = decoded(plain);
    expect(buffer).toBe(plain.buffer);
    expect(byteOffset).toBe(plain.byteOffset);
  });
});
