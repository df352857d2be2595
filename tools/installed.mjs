import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TERMINAL_MS = 500;
const PIPE_MS = 5_000;

/**
 * Whether node_modules holds what package-lock.json names, by what npm noted when it installed. Contents are compared,
 * because times say nothing in a copy or a fresh checkout.
 *
 * @param {string} root
 */
export function isInstalled(root) {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const present = packagesOf(noted);
  const wanted = packagesOf(join(root, 'package-lock.json')).filter(([, entry]) => isForThisMachine(entry));
  const there = new Map(present);
  const known = new Set(wanted.map(([path]) => path));
  return (
    present.every(([path]) => known.has(path)) &&
    wanted.every(([path, entry]) => {
      const found = there.get(path);
      // npm goes on without an optional package that cannot be installed.
      return found ? isSame(found, entry) : entry.optional;
    })
  );
}

/**
 * Prints how many packages of the lock file are installed, and for how long that has been going on, because `npm ci`
 * prints nothing before its end. Returns a function that ends this.
 *
 * @param {string} root
 */
export function showInstallProgress(root) {
  const { isTTY } = process.stdout;
  const started = Date.now();
  const files = packagesOf(join(root, 'package-lock.json'))
    .filter(([, entry]) => !entry.link && isForThisMachine(entry))
    .map(([path]) => join(root, path, 'package.json'));
  const timer = setInterval(
    () => {
      const seconds = Math.round((Date.now() - started) / 1000);
      const count = files.filter((file) => existsSync(file)).length;
      const text = `${count} of ${files.length} packages, ${seconds} s`;
      if (isTTY) process.stdout.write(`\rInstalling dependencies … ${text} `);
      else process.stdout.write(`\n  ${text} … `);
    },
    isTTY ? TERMINAL_MS : PIPE_MS,
  );
  return () => clearInterval(timer);
}

/** The packages and links in node_modules, by path. */
function packagesOf(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
}

function isSame(found, entry) {
  if (entry.link) return found.link && found.resolved === entry.resolved;
  // Earlier versions of npm note no integrity.
  const differs = found.integrity && entry.integrity && found.integrity !== entry.integrity;
  return found.version === entry.version && !differs;
}

function isForThisMachine({ os, cpu, libc }) {
  return allows(os, process.platform) && allows(cpu, process.arch) && allows(libc, libcOfThisMachine());
}

/** A list of the names that are wanted, or, with `!`, of those that are not. */
function allows(list, own) {
  if (!list) return true;
  if (list.some((name) => name === `!${own}`)) return false;
  return list.includes(own) || list.every((name) => name.startsWith('!'));
}

let libc;
function libcOfThisMachine() {
  if (process.platform !== 'linux') return undefined;
  // Otherwise the report resolves the names of open connections.
  process.report.excludeNetwork = true;
  libc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  return libc;
}
