import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Prints how many packages of the lock file are installed, until it is killed or its parent has ended. It is a
 * separate process, because `npm ci` prints nothing before its end and blocks the process that waits for it.
 */
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const isFor = (wanted, own) => !wanted || wanted.includes(own);
const paths = Object.entries(packages)
  .filter(([path, { link, os, cpu, libc }]) => {
    return (
      path.includes('node_modules/') &&
      !link &&
      !libc &&
      isFor(os, process.platform) &&
      isFor(cpu, process.arch)
    );
  })
  .map(([path]) => join(root, path, 'package.json'));

const parent = process.ppid;
const show = process.stdout.isTTY
  ? (text) => process.stdout.write(`\rInstalling dependencies … ${text} `)
  : (text) => console.log(`  ${text}`);
setInterval(
  () => {
    if (process.ppid !== parent) process.exit(0);
    show(`${paths.filter((path) => existsSync(path)).length} of ${paths.length} packages`);
  },
  process.stdout.isTTY ? 500 : 5_000,
);
