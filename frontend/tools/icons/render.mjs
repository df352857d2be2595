/**
 * Renders the site's pictures that cannot be SVG (README.md): node frontend/tools/icons/render.mjs
 * Needs a Chromium on PATH (or named in CHROMIUM_PATH), which the build and its tests do not.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const OUT = join(import.meta.dirname, '../../public');
const SIZES = { 'icon-192.png': 192, 'icon-512.png': 512, 'apple-touch-icon.png': 180 };
const mark = readFileSync(join(OUT, 'favicon.svg'), 'utf8');
const scene = readFileSync(join(import.meta.dirname, '../hero/scene.mjs')).toString('base64');
const require = createRequire(import.meta.url);
const font = readFileSync(
  require.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' });

async function picture(width, height, html, options) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>*{margin:0}body{width:${width}px;height:${height}px;overflow:hidden}</style>${html}`,
  );
  await page.evaluate('document.fonts.ready');
  await page.waitForFunction('!globalThis.pending');
  const content = await page.screenshot(options);
  await page.close();
  return content;
}

// Systems cut their own shape out of an icon: the colour fills the square, and the mark stays inside of the safe circle.
const square = mark.replace('rx="8" ', '');
for (const [name, size] of Object.entries(SIZES)) {
  const html = `<div style="width:${size}px;height:${size}px">${square}</div>`;
  writeFileSync(join(OUT, name), await picture(size, size, html, { type: 'png' }));
}

const card = `
<style>
  @font-face { font-family: Figtree; src: url(data:font/woff2;base64,${font.toString('base64')}); font-weight: 300 900 }
  canvas { position: absolute; left: -200px; top: -60px }
  h1 { position: absolute; left: 80px; top: 64px; font: 700 88px Figtree; color: #1f1a17; display: flex; gap: 28px }
  h1 svg { width: 96px; height: 96px }
  p { position: absolute; left: 80px; top: 184px; font: 500 36px Figtree; color: #5c534d }
</style>
<canvas width="1600" height="900"></canvas><h1>${mark}Pulso</h1><p>A social network for fitness</p>
<script>
  globalThis.pending = import('data:text/javascript;base64,${scene}').then(({ drawFrame, MOODS }) => {
    drawFrame(document.querySelector('canvas').getContext('2d'), MOODS.light, 2.4);
    globalThis.pending = undefined;
  });
</script>`;
writeFileSync(join(OUT, 'link-picture.jpg'), await picture(1200, 630, card, { type: 'jpeg', quality: 82 }));
await browser.close();
