import { useLayoutEffect, useRef } from 'react';
import { numberIn } from './blurhash.js';

/** Pixels of each side: it is smooth, and the browser stretches it. */
const SIDE = 24;

const linear = (value: number): number =>
  value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;

const gamma = (value: number): number => {
  const inside = Math.min(Math.max(value, 0), 1);
  return 255 * (inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055);
};

/** -9 to 9, squared with its sign, as a part of `most`. */
const signedSquare = (digit: number, most: number): number =>
  Math.sign(digit - 9) * ((digit - 9) / 9) ** 2 * most;

/** The factors of the cosines of a blurhash, in linear light: its mean colour first, row after row. */
function factorsOf(hash: string): { columns: number; factors: number[][] } {
  const size = numberIn(hash, 0, 1);
  const columns = (size % 9) + 1;
  const count = columns * (Math.floor(size / 9) + 1);
  const most = (numberIn(hash, 1, 2) + 1) / 166;
  const mean = numberIn(hash, 2, 6);
  const factors = [[mean >> 16, (mean >> 8) & 255, mean & 255].map(linear)];
  for (let index = 1; index < count; index++) {
    const value = numberIn(hash, 4 + 2 * index, 6 + 2 * index);
    const digits = [Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19];
    factors.push(digits.map((digit) => signedSquare(digit, most)));
  }
  return { columns, factors };
}

/** RGBA of `side` × `side` pixels. */
export function pixelsOf(hash: string, side = SIDE): Uint8ClampedArray<ArrayBuffer> {
  const { columns, factors } = factorsOf(hash);
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  const wave = (position: number, times: number) => Math.cos((Math.PI * position * times) / side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let light = 0;
        factors.forEach((factor, index) => {
          light += factor[channel]! * wave(x, index % columns) * wave(y, Math.floor(index / columns));
        });
        pixels[4 * (y * side + x) + channel] = gamma(light);
      }
    }
  }
  return pixels;
}

/** A picture's blurhash, in its place until it is there. */
export function Blur({ hash, className }: { hash: string; className?: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    canvas.current?.getContext('2d')?.putImageData(new ImageData(pixelsOf(hash), SIDE, SIDE), 0, 0);
  }, [hash]);
  return <canvas ref={canvas} className={className} width={SIDE} height={SIDE} aria-hidden />;
}
