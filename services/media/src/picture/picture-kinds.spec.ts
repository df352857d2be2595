import { IMAGE } from '@pulso/contracts/limits';
import { PROPERTY_LIMIT, propertyRuns } from '@pulso/platform/testing/property-limit';
import fc from 'fast-check';
import sharp from 'sharp';
import { withScans, withSides } from '../../test/support/hostile-files.js';
import { SMALL_PIECES } from '../../test/support/small-pieces.js';
import { bytesToDecode, kindOf, PICTURE_KINDS } from './picture-kinds.js';
import { Pieces, UnreadablePicture } from './pieces.js';

const SEED = Number(process.env['TEST_SEED'] ?? 41);

/** What is said of a file, or why it is refused, and how many of its pieces were looked at. */
function lookAt(file: Buffer) {
  const kind = kindOf(file)!;
  const pieces = new Pieces(kind.mostPieces);
  try {
    return { shape: kind.shapeOf(file, pieces), count: pieces.count, most: kind.mostPieces };
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
    return { refusal: error.message, count: pieces.count, most: kind.mostPieces };
  }
}

// Rule: MEDIA-3
describe(`a file of the smallest pieces that there are (TEST_SEED=${SEED})`, () => {
  const most = (name: string) => PICTURE_KINDS.find((kind) => kind.name === name)!.mostPieces;

  it.each(SMALL_PIECES)(
    'is refused after some thousand, however many there are: %s, %s',
    (name, _what, small) => {
      const pattern = fc.array(fc.constantFrom(...small.pieces), { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(pattern, (pieces) => {
          const rest = IMAGE.maxBytes - small.begin.length;
          const file = Buffer.concat([small.begin, Buffer.alloc(rest, Buffer.concat(pieces))]);
          const { refusal, count } = lookAt(file);
          expect(refusal).toEqual(expect.any(String));
          expect(count).toBeLessThanOrEqual(most(name) + 1);
        }),
        { seed: SEED, numRuns: propertyRuns(8), ...PROPERTY_LIMIT },
      );
    },
  );

  it.each(SMALL_PIECES)(
    'is looked at whole where they are few, and broken in any way: %s, %s',
    (_name, _what, small) => {
      const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
      const parts = fc.array(fc.oneof(fc.constantFrom(...small.pieces), noise), { maxLength: 12 });
      fc.assert(
        fc.property(parts, fc.nat(), (pieces, cut) => {
          const file = Buffer.concat([small.begin, ...pieces]);
          const {
            shape,
            count,
            most: allowed,
          } = lookAt(file.subarray(0, Math.max(13, file.length - (cut % 64))));
          expect(count).toBeLessThanOrEqual(allowed);
          if (shape) expect(shape.bytes.length).toBeLessThanOrEqual(file.length + 1);
        }),
        { seed: SEED, numRuns: propertyRuns(100), ...PROPERTY_LIMIT },
      );
    },
  );
});

// Rule: MEDIA-3, LIMIT-10
describe('what the decoder would hold of a picture', () => {
  const [width, height] = [640, 400];
  const picture = sharp({ create: { width, height, channels: 3, background: 'red' } });
  const alpha = picture.clone().ensureAlpha(0.5);
  const samples = width * height;

  it.each<[string, () => Promise<Buffer>, number]>([
    ['a baseline JPEG', () => picture.clone().jpeg().toBuffer(), 0],
    ['a progressive JPEG', () => picture.clone().jpeg({ progressive: true }).toBuffer(), 3 * samples],
    [
      'a progressive JPEG with whole colours',
      () => picture.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
      6 * samples,
    ],
    ['a PNG', () => alpha.clone().png().toBuffer(), 0],
    ['an interlaced PNG', () => alpha.clone().png({ progressive: true }).toBuffer(), 4 * samples],
    [
      'an interlaced PNG of 16 bits',
      () => alpha.clone().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      8 * samples,
    ],
    ['a WebP', () => picture.clone().webp().toBuffer(), 3 * samples],
    ['a WebP that is transparent', () => alpha.clone().webp().toBuffer(), 4 * samples],
    ['a WebP without loss', () => picture.clone().webp({ lossless: true }).toBuffer(), 4 * samples],
    ['a GIF', () => picture.clone().gif().toBuffer(), 4 * samples],
  ])('is counted by its pixels, unless rows are enough: %s', async (_name, file, heldBytes) => {
    expect(lookAt(await file()).shape).toMatchObject({ width, height, heldBytes });
  });

  it('is bounded: progressive pictures of 26 megapixels are taken, larger ones are not, baseline ones are', async () => {
    const baseline = await picture.clone().jpeg().toBuffer();
    const progressive = await picture.clone().jpeg({ progressive: true }).toBuffer();
    for (const file of [withSides(progressive, 6240, 4160), withSides(baseline, 7296, 5472)])
      expect(bytesToDecode(file)).toBe(file);
    for (const file of [withSides(progressive, 6320, 6320), withSides(baseline, 8000, 6000)])
      expect(() => bytesToDecode(file)).toThrow(UnreadablePicture);
  });

  it('is bounded in scans, of which a usual picture has ten', async () => {
    const file = await picture.clone().jpeg({ progressive: true }).toBuffer();
    expect(bytesToDecode(withScans(file, 10)).length).toBeGreaterThan(file.length);
    expect(() => bytesToDecode(withScans(file, 11))).toThrow('it has too many scans');
  });
});
