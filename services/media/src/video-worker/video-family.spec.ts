import { familyOf, MP4, OGG, WEBM } from './video-family.js';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );

const EBML = [0x1a, 0x45, 0xdf, 0xa3];

// Rule: MEDIA-11
describe('the kind of a video', () => {
  it('is that of its first bytes', () => {
    expect(familyOf(bytes([0, 0, 0, 24], 'ftypisom'))).toBe(MP4);
    expect(familyOf(bytes([0, 0, 0, 20], 'ftypqt  '))).toBe(MP4);
    expect(familyOf(bytes(EBML, [0x9f, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84], 'webm'))).toBe(WEBM);
    expect(familyOf(bytes('OggS', [0, 2]))).toBe(OGG);
  });

  it.each([
    ['nothing', bytes()],
    ['a playlist', bytes('#EXTM3U\nftyp')],
    ['Matroska', bytes(EBML, [0xa3, 0x42, 0x82, 0x88], 'matroska')],
    [
      'a name that comes late',
      bytes(
        EBML,
        Array.from({ length: 300 }, () => 0),
        [0x42, 0x82, 0x84],
        'webm',
      ),
    ],
    ['a picture', bytes([0x89], 'PNG\r\n\x1a\n')],
    ['AVI', bytes('RIFF', [0, 0, 0, 0], 'AVI ')],
  ])('is none for %s', (_name, begin) => {
    expect(familyOf(begin)).toBeUndefined();
  });
});
