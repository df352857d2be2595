import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const loader = join(dirname(fileURLToPath(import.meta.url)), 'typescript-loader.mjs');

/**
 * Node's options for a process that runs a TypeScript file of a test. When everything is built (`npm test` and the other
 * commands set PULSO_PREBUILT, after the build), the packages' code is that of their `dist`, which starts in half of the time.
 * Otherwise, as in a single suite or in the editor, `dist` may be old or missing, and it is their sources.
 */
export const TYPESCRIPT: readonly string[] = [
  ...(process.env.PULSO_PREBUILT ? [] : ['--conditions=source']),
  '--import',
  loader,
];
