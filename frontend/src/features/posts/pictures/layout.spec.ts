import { describe, expect, it } from '@jest/globals';
import { anImage } from '../../../../test/an-image.js';
import { boxRatio, ratioOf, sourcesOf } from './layout.js';
import type { Picture } from './layout.js';

const sized = (width: number, height: number): Picture =>
  anImage({ metadata: { ...anImage().metadata, dimensions: { width, height } } });
const DESK = 1200;
const PHONE = 332;

// Rule: UI-20
describe('the box of a post’s pictures', () => {
  it('has the proportions of a single one, from 3:4 to 16:9', () => {
    expect(boxRatio([sized(1200, 800)])).toBe(1.5);
    expect(boxRatio([sized(1920, 192)])).toBe(16 / 9);
    expect(boxRatio([sized(135, 1080)])).toBe(3 / 4);
  });

  it('has two beside each other, in the mean of their proportions from 3:4 to 5:4', () => {
    expect(boxRatio([sized(100, 100), sized(100, 100)])).toBe(2);
    expect(boxRatio([sized(10, 1000), sized(10, 1000)])).toBe(1.5);
    expect(boxRatio([sized(1000, 10), sized(1000, 10)])).toBe(2.5);
    expect(boxRatio([sized(50, 100), sized(150, 100)])).toBe(2);
  });

  it.each([3, 4, 5, 6, 10])('is 4:3 for %d, whatever their proportions', (count) => {
    const pictures = Array.from({ length: count }, (_, index) => sized(index % 2 ? 30 : 1900, 500));
    expect(boxRatio(pictures)).toBe(4 / 3);
  });

  it('is a square where the size of the picture is not known', () => {
    expect(ratioOf(sized(0, 0))).toBe(1);
    expect(boxRatio([sized(0, 0)])).toBe(1);
  });
});

describe('what a tile loads', () => {
  const square = sized(1000, 1000);
  const sources = (picture: Picture, index: number, count: number, room: number) =>
    sourcesOf(picture, index, count, boxRatio(Array.from({ length: count }, () => picture)), room);

  it('is the picture where the tile is larger than a thumbnail', () => {
    for (const room of [DESK, PHONE]) {
      expect(sources(square, 0, 1, room)).toEqual({ src: '/media/i1/full' });
    }
  });

  it('is the thumbnail or the picture, as the screen’s pixels need, where it is smaller', () => {
    for (const [index, width] of [
      [0, 280],
      [4, 187],
    ] as const) {
      expect(sources(square, index, 5, DESK)).toEqual({
        src: '/media/i1/full',
        srcSet: '/media/i1/thumbnail 300w, /media/i1/full 1000w',
        sizes: `${width}px`,
      });
    }
  });

  it('counts what is cut off: of a panorama a small tile shows a part of a wide drawing', () => {
    const panorama = sized(1920, 192);
    expect(sources(panorama, 4, 5, DESK)).toEqual({ src: '/media/i1/full' });
    const portrait = sized(500, 1000);
    expect(sources(portrait, 0, 3, DESK)).toMatchObject({
      srcSet: '/media/i1/thumbnail 150w, /media/i1/full 500w',
      sizes: '280px',
    });
  });

  it('is a picture that is no larger than a thumbnail itself', () => {
    expect(sources(sized(120, 90), 0, 5, PHONE)).toEqual({ src: '/media/i1/full' });
  });
});
