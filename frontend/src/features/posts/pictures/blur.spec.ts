import { describe, expect, it } from '@jest/globals';
import { pixelsOf } from './blur.js';
import { averageColor } from './blurhash.js';

// The pixels were read from the decoder of the package that the server encodes with, at 24 × 24.
const HASH = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj';

describe('a blurhash', () => {
  it('tells the colour of the whole picture', () => {
    expect(averageColor(HASH)).toBe('#979695');
  });

  it('is drawn as its encoder means it', () => {
    const pixels = pixelsOf(HASH, 24);
    const at = (x: number, y: number) => [...pixels.slice(4 * (24 * y + x), 4 * (24 * y + x) + 4)];
    const expected = [
      [at(0, 0), [135, 164, 177, 255]],
      [at(23, 0), [137, 166, 181, 255]],
      [at(12, 12), [158, 125, 108, 255]],
      [at(0, 23), [136, 144, 147, 255]],
      [at(23, 23), [133, 142, 147, 255]],
    ] as const;
    for (const [drawn, meant] of expected)
      drawn.forEach((value, channel) => expect(Math.abs(value - meant[channel]!)).toBeLessThanOrEqual(1));
  });
});
