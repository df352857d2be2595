/**
 * Draws the demo's video: `node tools/demo-pictures/make-video.mjs`. A morning run, eight seconds that begin where they end. It needs
 * ffmpeg with libx264: that of npm, which media brings.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import ffmpeg from '@ffmpeg-installer/ffmpeg';
import sharp from 'sharp';
import { Drawing, figure } from './draw.mjs';

const FILE = join(import.meta.dirname, '../../deploy/embedded/demo-media/morning-run.mp4');
const [WIDTH, HEIGHT, FPS, SECONDS] = [1280, 720, 25, 8];
const STRIDES = 11;
const TURN = 2 * Math.PI;
const RUNNER = { skin: '#8a5a3b', hair: '#2b1c16', top: '#e8503a', bottom: '#23252b', shoes: '#fff4e6' };
const FRIEND = { skin: '#e0a983', hair: '#5b3624', top: '#3b82a0', bottom: '#2d2f3a', shoes: '#ffd166' };

/** Limbs of a runner; a stride is a whole turn. The knee bends most while the leg comes forward. */
function poseAt(phase) {
  const legs = [phase, phase + Math.PI].map((at) => {
    const upper = 42 * Math.sin(at);
    return [upper, upper - 34 - 32 * Math.cos(at)];
  });
  const arms = [phase + Math.PI, phase].map((at) => {
    const upper = 48 * Math.sin(at);
    return [upper, upper + 82];
  });
  return { lean: 13, arms: [arms[1], arms[0]], legs, hipY: -104 - 7 * Math.abs(Math.cos(phase)) };
}

function frame(part) {
  const d = new Drawing(WIDTH, HEIGHT, 5);
  d.background('#2f3b69', '#c2607a', '#ff9d6c', '#ffd9a0');
  const [x, y] = [WIDTH * 0.7, HEIGHT * 0.5];
  d.circle(
    x,
    y,
    190,
    d.gradient(
      [
        [0, '#fff1c9', 0.55],
        [1, '#fff1c9', 0],
      ],
      { radial: [0.5, 0.5, 0.5] },
    ),
  );
  d.circle(x, y, 56, '#fff1c9');
  d.hills(HEIGHT * 0.6, 46, '#8d5a7d', 1.4, TURN * part);
  d.hills(HEIGHT * 0.7, 40, '#6a456f', 2.2, TURN * part * 2);
  for (let tree = 0; tree < 18; tree++) {
    const at = ((tree / 18 + 0.02 * Math.sin(tree * 7) - part * 2 + 4) % 1) * (WIDTH + 160) - 80;
    const height = 50 + 34 * Math.abs(Math.sin(tree * 3.3));
    const foot = HEIGHT * 0.79;
    for (const [up, wide] of [
      [0, 0.34],
      [0.28, 0.27],
      [0.55, 0.2],
    ])
      d.path(
        `M${at - height * wide} ${foot - height * up} L${at} ${foot - height * (up + 0.5)} L${at + height * wide} ${foot - height * up} Z`,
        '#35294c',
      );
  }
  d.hills(HEIGHT * 0.8, 12, '#43335a', 1.6, TURN * part * 3);
  d.rect(0, HEIGHT * 0.86, WIDTH, HEIGHT * 0.14, '#e8b48a');
  for (let mark = 0; mark < 9; mark++) {
    const at = ((mark / 9 - part * 6 + 9) % 1) * (WIDTH + 200) - 100;
    d.rect(at, HEIGHT * 0.935, 80, 7, '#d39a70', 'rx="3"');
  }
  const phase = TURN * STRIDES * part;
  const runners = [
    { colours: FRIEND, across: 0.56, down: 0.89, scale: 1.05, at: phase + 1.9 },
    { colours: RUNNER, across: 0.4, down: 0.95, scale: 1.3, at: phase },
  ];
  for (const { colours, across, down, scale, at } of runners) {
    d.ellipse(WIDTH * across + 8, HEIGHT * down + 4, 70 * scale, 7, '#7a4a3a', 'opacity=".35"');
    d.group(`translate(${WIDTH * across} ${HEIGHT * down}) scale(${scale})`, () =>
      figure(d, colours, poseAt(at)),
    );
  }
  return sharp(Buffer.from(d.svg)).removeAlpha().raw().toBuffer();
}

const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${WIDTH}x${HEIGHT}`, '-r', `${FPS}`, '-i', '-'];
const output = [
  '-c:v',
  'libx264',
  '-preset',
  'slow',
  '-crf',
  '31',
  '-pix_fmt',
  'yuv420p',
  '-movflags',
  '+faststart',
];
const encoder = spawn(ffmpeg.path, ['-y', '-loglevel', 'error', ...input, ...output, FILE], {
  stdio: ['pipe', 'inherit', 'inherit'],
});
const frames = FPS * SECONDS;
for (let number = 0; number < frames; number++) {
  if (!encoder.stdin.write(await frame(number / frames))) await once(encoder.stdin, 'drain');
}
encoder.stdin.end();
const [code] = await once(encoder, 'close');
process.exitCode = code;
