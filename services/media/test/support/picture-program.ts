import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TYPESCRIPT } from '@pulso/platform/testing/typescript';
import type { PictureLimits } from '../../src/picture/picture-limits.js';

const here = dirname(fileURLToPath(import.meta.url));

/** The program of the sources, as long as not everything is built: what is built may be old. */
export const PICTURE_PROGRAM: PictureLimits['program'] = process.env['PULSO_PREBUILT']
  ? undefined
  : { file: join(here, '../../src/picture-main.ts'), execArgv: TYPESCRIPT };

/** One that does what its files say, instead of decoding them. */
export const ODD_PROGRAM: PictureLimits['program'] = { file: join(here, 'odd-pictures.mjs'), execArgv: [] };
