import { execFileSync } from 'node:child_process';

/** The shell has no window and takes some three quarters of the processor time of the others. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** CHROMIUM_PATH, else the first Chromium on PATH: no browser is downloaded. Throws where there is none. */
export function chromiumPath(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const name of NAMES) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      continue;
    }
  }
  throw new Error('No Chromium found on PATH: install one, or name it in CHROMIUM_PATH.');
}
