/**
 * Draws the pictures of the demo's posts: `node tools/demo-pictures/make.mjs`. Run it after a scene was changed; the files are in the
 * repository, so that nothing is drawn when Pulso starts.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { Drawing } from './draw.mjs';
import { barbell, gloves, kettlebells } from './gym.mjs';
import { lake, ride, route, sunrise, track } from './outdoors.mjs';
import { mat, pool, shoes } from './rooms.mjs';
import { bowl, breakfast, notebook } from './table.mjs';

const FOLDER = join(import.meta.dirname, '../../deploy/embedded/demo-media/scenes');
const [WIDTH, HEIGHT] = [1600, 1100];

/** Each file's scene, and the seed of its chance. */
const FILES = {
  sunrise: [sunrise, 1],
  'sunrise-together': [(drawing) => sunrise(drawing, { pair: true }), 12],
  lake: [lake, 3],
  ride: [ride, 4],
  'route-river': [route, 5],
  'route-park': [route, 23],
  track: [track, 6],
  barbell: [barbell, 7],
  kettlebells: [kettlebells, 8],
  notebook: [notebook, 9],
  pool: [pool, 10],
  bowl: [bowl, 11],
  'bowl-second': [bowl, 29],
  breakfast: [breakfast, 13],
  'mat-morning': [mat, 14],
  'mat-night': [(drawing) => mat(drawing, { night: true }), 15],
  gloves: [gloves, 16],
  shoes: [shoes, 17],
};

await mkdir(FOLDER, { recursive: true });
for (const [name, [draw, seed]] of Object.entries(FILES)) {
  const drawing = new Drawing(WIDTH, HEIGHT, seed);
  draw(drawing);
  await sharp(Buffer.from(drawing.svg))
    .jpeg({ quality: 82, mozjpeg: true })
    .toFile(join(FOLDER, `${name}.jpg`));
}
