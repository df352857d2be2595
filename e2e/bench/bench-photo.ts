import { renderPicture } from '@pulso/media/picture/render-picture';
import { seeded } from '@pulso/platform/testing/seeded';
import { pngOf } from '../support/a-picture.js';

const [WIDTH, HEIGHT] = [1920, 1080];
/** Chosen so that the photo has some 300 KB and its thumbnail some 12 KB, as those of phones do. */
const GRAIN = { cell: 10, strength: 90 };

/** A photo as a browser sends it, and its thumbnail: a gradient with grain, as JPEG. */
export async function benchPhoto(): Promise<{ full: Buffer; thumbnail: Buffer }> {
  const dice = seeded(34);
  const { cell, strength } = GRAIN;
  const across = Math.ceil(WIDTH / cell);
  const grain = Float64Array.from({ length: across * Math.ceil(HEIGHT / cell) }, () => strength * dice());
  const png = pngOf(WIDTH, HEIGHT, (x, y) => {
    const light = grain[Math.floor(y / cell) * across + Math.floor(x / cell)]!;
    return [light + (100 * x) / WIDTH, light + (150 * y) / HEIGHT, light + 60];
  });
  const { files } = await renderPicture(png, 'post');
  return { full: files[0]!.bytes, thumbnail: files[1]!.bytes };
}
