import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/**
 * `npm run unused`: fails where code is used by nobody (knip.jsonc): first exports and files that production does not use, also if
 * tests do, then those that tests do not use either. What only suites need is marked `@internal`, with a reason.
 */
const COMMON = ['--tsConfig', 'tsconfig.knip.json', '--no-config-hints'];
const knip = (...args) =>
  spawnSync(process.execPath, [join(root, 'node_modules/knip/bin/knip.js'), ...COMMON, ...args], {
    cwd: root,
    stdio: 'inherit',
  }).status ?? 1;

const statuses = [knip('--production', '--include-entry-exports'), knip()];
process.exitCode = Math.max(...statuses);
