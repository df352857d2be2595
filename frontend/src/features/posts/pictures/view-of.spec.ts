import { describe, expect, it } from '@jest/globals';
import { MAX_SCALE, WHOLE, moved, scaled } from './view-of.js';

const STAGE = { width: 1000, height: 600 };
const PICTURE = { width: 900, height: 600 };

describe('the zoom of a picture', () => {
  it('keeps in its place what is under the pointer', () => {
    const view = scaled(WHOLE, 2, { x: 100, y: -50 }, PICTURE, STAGE);
    expect(view).toEqual({ scale: 2, x: -100, y: 50 });
    // 100 px right of the stage's middle was 100 px right of the picture's; at twice the scale that is 200 px.
    expect(view.x + 2 * 100).toBe(100);
  });

  it('is between the whole picture and 5 times its size', () => {
    expect(scaled(WHOLE, 0.2, { x: 30, y: 30 }, PICTURE, STAGE)).toEqual(WHOLE);
    expect(scaled(WHOLE, 90, { x: 0, y: 0 }, PICTURE, STAGE).scale).toBe(MAX_SCALE);
  });

  it('moves no edge of the picture inside', () => {
    const large = scaled(WHOLE, 2, { x: 0, y: 0 }, PICTURE, STAGE);
    expect(moved(large, { x: 5000, y: -5000 }, PICTURE, STAGE)).toEqual({ scale: 2, x: 400, y: -300 });
    expect(moved(WHOLE, { x: 50, y: 50 }, PICTURE, STAGE)).toEqual(WHOLE);
  });

  it('brings the picture back into the middle on the way to the whole', () => {
    const aside = moved(scaled(WHOLE, 3, { x: 0, y: 0 }, PICTURE, STAGE), { x: 800, y: 600 }, PICTURE, STAGE);
    expect(scaled(aside, 1, { x: 200, y: 100 }, PICTURE, STAGE)).toEqual(WHOLE);
  });
});
