import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runOrFail } from '../child-process.mjs';
import { requirements, toolsFolder } from './tools.mjs';

/**
 * `node tools/kubernetes/install.mjs`: installs what `npm run check:kubernetes` needs from PyPI into the user's cache. Needs Python 3
 * with venv, and no dependency of this repository. Does nothing where the tools are there already.
 */
const LIMIT_MS = 300_000;
const isWindows = process.platform === 'win32';

const folder = toolsFolder();
if (!existsSync(folder)) {
  try {
    await install();
  } catch (error) {
    console.error(`The tools could not be installed in ${folder}: ${error.message}`);
    process.exit(1);
  }
}
console.log(`The tools are in ${folder}.`);

/** Into another folder, which is then renamed, so that an interrupted installation does not look complete. */
async function install() {
  const staging = `${folder}.${process.pid}`;
  const python = join(staging, isWindows ? 'Scripts/python.exe' : 'bin/python');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];
  mkdirSync(dirname(folder), { recursive: true });
  try {
    await runOrFail(isWindows ? 'python' : 'python3', ['-m', 'venv', staging], { limitMs: LIMIT_MS });
    await runOrFail(python, [...pip, '--only-binary', ':all:', '--requirement', requirements], {
      limitMs: LIMIT_MS,
    });
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
