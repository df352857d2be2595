import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { largest, MOST_ZOOM, moved, sideOf, zoomed } from './crop.js';
import type { Crop, Size } from './crop.js';

const wide: Size = { width: 1600, height: 800 };
const size = fc.record({
  width: fc.integer({ min: 1, max: 8000 }),
  height: fc.integer({ min: 1, max: 8000 }),
});
const part = fc.double({ min: -3, max: 3, noNaN: true });
const step = fc.record({ x: part, y: part, zoom: fc.double({ min: 0.1, max: 10, noNaN: true }) });

/** Of the picture what is under `at` of the frame. */
const under = (picture: Size, crop: Crop, at: { x: number; y: number }) => ({
  x: crop.x + at.x * sideOf(picture, crop),
  y: crop.y + at.y * sideOf(picture, crop),
});

// Rule: UI-67
describe('the square of a picture', () => {
  it('is the largest one in the middle at first', () => {
    expect(largest(wide)).toEqual({ x: 800, y: 400, zoom: 1 });
    expect(sideOf(wide, largest(wide))).toBe(800);
  });

  it('follows the picture that is dragged, as far as it goes', () => {
    expect(moved(wide, largest(wide), { x: 0.25, y: 0.5 })).toEqual({ x: 600, y: 400, zoom: 1 });
    expect(moved(wide, largest(wide), { x: -9, y: 0 })).toEqual({ x: 1200, y: 400, zoom: 1 });
  });

  it('becomes smaller around what is pointed at', () => {
    const at = { x: 0.25, y: -0.25 };
    const near = zoomed(wide, largest(wide), 2, at);
    expect(sideOf(wide, near)).toBe(400);
    expect(under(wide, near, at)).toEqual(under(wide, largest(wide), at));
    expect(zoomed(wide, largest(wide), 99).zoom).toBe(MOST_ZOOM);
    expect(zoomed(wide, near, 0).zoom).toBe(1);
  });

  it('never leaves the picture, whatever is done', () => {
    fc.assert(
      fc.property(size, fc.array(step, { maxLength: 20 }), (picture, steps) => {
        let crop = largest(picture);
        for (const { x, y, zoom } of steps)
          crop = moved(picture, zoomed(picture, crop, crop.zoom * zoom, { x, y }), { x, y });
        const half = sideOf(picture, crop) / 2;
        expect(crop.x - half).toBeGreaterThanOrEqual(-1e-6);
        expect(crop.y - half).toBeGreaterThanOrEqual(-1e-6);
        expect(crop.x + half).toBeLessThanOrEqual(picture.width + 1e-6);
        expect(crop.y + half).toBeLessThanOrEqual(picture.height + 1e-6);
      }),
    );
  });
});
