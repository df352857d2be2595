import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

/** What a process that works on pictures is, and may take (LIMIT-10). A provider, so that tests may narrow it. */
@Injectable()
export class PictureLimits {
  /** Of the processor for one picture. The largest that are taken need a second or two on a slow one. */
  cpuMs = 10_000;
  /** Of the process in all: itself, the file, what the decoder may hold, and what is made of it. */
  memoryBytes = 320 * 1024 * 1024;
  /** A process that keeps more than this after a picture is not used again. */
  restingBytes = 160 * 1024 * 1024;
  /** From the moment that a picture is handed over, on a busy machine, too. */
  waitMs = 20_000;
  /** How long a process without work is kept. */
  idleMs = 60_000;
  /** The file that runs; the built one unless set. */
  program: { file: string; execArgv: readonly string[] } | undefined;
}

/** Beside the bundle or the built file that this runs from; in `dist` when it runs from the sources. */
const CANDIDATES = ['./picture-main.js', '../picture-main.js', '../../dist/picture-main.js'];

/** Throws where media is not built. */
export function pictureProgram(): string {
  const files = CANDIDATES.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const file = files.find((path) => existsSync(path));
  if (!file) throw new Error(`${files.at(-1)} is missing: build the package @pulso/media first`);
  return file;
}
