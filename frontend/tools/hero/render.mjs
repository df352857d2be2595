/**
 * Renders the landing page's film (README.md): node frontend/tools/hero/render.mjs [mood [seconds frame.png]]
 * Needs ffmpeg and a Chromium on PATH (or named in CHROMIUM_PATH), which the build and its tests do not.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { FPS, HEIGHT, LOOP, MOODS, WIDTH } from './scene.mjs';

const OUT = join(import.meta.dirname, '../../src/features/landing/assets');
const COLOURS = [
  ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
];
const VP9 = ['-c:v', 'libvpx-vp9', '-crf', '30', '-b:v', '0', '-row-mt', '1', '-cpu-used', '2', '-g', '250'];
const H264 = ['-c:v', 'libx264', '-crf', '24', '-preset', 'medium', '-g', '250'];

const ffmpeg = (...args) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: 'inherit' });

async function openCanvas(browser) {
  const page = await browser.newPage();
  const scene = readFileSync(join(import.meta.dirname, 'scene.mjs'));
  await page.evaluate(
    `(async () => {
      const scene = await import('data:text/javascript;base64,${scene.toString('base64')}');
      const canvas = Object.assign(document.createElement('canvas'), { width: ${WIDTH}, height: ${HEIGHT} });
      const ctx = canvas.getContext('2d', { willReadFrequently: true });
      globalThis.frame = (mood, time) => {
        scene.drawFrame(ctx, scene.MOODS[mood], time);
        return canvas.toDataURL('image/png').split(',')[1];
      };
    })()`,
  );
  return async (mood, time) => Buffer.from(await page.evaluate(`frame('${mood}', ${time})`), 'base64');
}

async function renderFilm(frame, mood, scratch) {
  const master = join(scratch, `${mood}.mkv`);
  const encoder = spawn(
    'ffmpeg',
    ['-v', 'error', '-f', 'image2pipe', '-framerate', `${FPS}`, '-i', '-', '-c:v', 'ffv1', master],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  for (let index = 0; index < LOOP * FPS; index += 1) {
    if (!encoder.stdin.write(await frame(mood, index / FPS))) await once(encoder.stdin, 'drain');
  }
  encoder.stdin.end();
  await once(encoder, 'exit');

  const log = join(scratch, mood);
  const two = (pass) => ['-pass', `${pass}`, '-passlogfile', log];
  ffmpeg('-i', master, ...COLOURS, ...VP9, ...two(1), '-an', '-f', 'null', '-');
  ffmpeg('-i', master, ...COLOURS, ...VP9, ...two(2), '-an', join(OUT, `hero-${mood}.webm`));
  ffmpeg('-i', master, ...COLOURS, ...H264, '-an', '-movflags', '+faststart', join(OUT, `hero-${mood}.mp4`));
  ffmpeg('-i', master, '-frames:v', '1', '-c:v', 'libwebp', '-quality', '92', join(OUT, `hero-${mood}.webp`));
  for (const type of ['webm', 'mp4', 'webp']) {
    const name = `hero-${mood}.${type}`;
    process.stdout.write(`${name} ${statSync(join(OUT, name)).size} bytes\n`);
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'pulso-hero-'));
const executablePath =
  process.env.CHROMIUM_PATH ?? execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const frame = await openCanvas(browser);
  const [only, seconds, still] = process.argv.slice(2);
  if (still) writeFileSync(still, await frame(only, Number(seconds)));
  else for (const mood of only ? [only] : Object.keys(MOODS)) await renderFilm(frame, mood, scratch);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
