import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, root } from './prepare.mjs';

/**
 * Completes package-lock.json after npm has written it; `npm run lock` runs this after every change of dependencies.
 *
 * - Adds the optional packages of other platforms that npm left out because the registry used did not have them: `npm
 *   ci` refuses a lock without them. On such a platform npm installs them by name and version as usual.
 * - Adds the `integrity` of every package that the registry serves, so that `npm ci` refuses a changed tarball. npm
 *   itself never adds one to an entry that is there. What is not served must be in tools/unserved-packages.json.
 */
const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'windows', 'wasm32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/** Node's resolution: the nearest entry, from the package at `path` upwards. */
function find(path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const candidate = `${base ? `${base}/` : ''}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (!base) return undefined;
  }
}

function platformOf(name) {
  const words = name.toLowerCase().split(/[-/]/);
  const system = words.find((word) => SYSTEMS.includes(word));
  const processor = PROCESSORS.find((known) =>
    words.some((word) => word === known || word.startsWith(`${known}v`)),
  );
  return {
    os: name === 'fsevents' ? ['darwin'] : [system === 'windows' ? 'win32' : (system ?? 'none')],
    ...(name === 'fsevents'
      ? {}
      : { cpu: [processor ?? (words.includes('armv7') ? 'arm' : (system ?? 'none'))] }),
  };
}

function addMissing() {
  let added = 0;
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      if (find(path, name)) continue;
      packages[`node_modules/${name}`] = {
        version: range.replace(/^[\^~]/, ''),
        ...platformOf(name),
        optional: true,
      };
      added += 1;
    }
  }
  return added;
}

const nameOf = (path) => packages[path].name ?? path.replace(/^.*node_modules\//, '');
const withoutIntegrity = () =>
  Object.keys(packages).filter(
    (path) => path.includes('node_modules/') && !packages[path].link && !packages[path].integrity,
  );

/**
 * What the registry says of the packages at `paths`, by path: npm resolves them as the optional dependencies of an
 * empty package, and leaves out what is not served.
 */
function askRegistry(paths) {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-lock-'));
  try {
    const wanted = paths.map((path, index) => [`p${index}`, `npm:${nameOf(path)}@${packages[path].version}`]);
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ optionalDependencies: Object.fromEntries(wanted) }),
    );
    execFileSync('npm', ['install', '--package-lock-only', '--legacy-peer-deps', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const answer = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
    return new Map(paths.map((path, index) => [path, answer[`node_modules/p${index}`]]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const added = addMissing();
const incomplete = withoutIntegrity();
if (incomplete.length > 0) {
  for (const [path, served] of askRegistry(incomplete)) {
    if (!served?.integrity) continue;
    const { name: _, resolved: __, ...facts } = served;
    packages[path] = { ...packages[path], ...facts, ...(packages[path].dev && { dev: true }) };
  }
}
for (const entry of Object.values(packages)) if (!entry.link) delete entry.resolved;
const sorted = (entry) => Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
lock.packages = sorted(packages);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
// The installed packages satisfy the completed lock, so `npm start` need not install again.
const installed = join(root, 'node_modules', '.package-lock.json');
if (existsSync(installed)) utimesSync(installed, new Date(), new Date());

const left = withoutIntegrity();
console.log(`${added} packages of other platforms added to package-lock.json`);
console.log(`${incomplete.length - left.length} of ${incomplete.length} missing integrities added`);
const unserved = new Set(left.map(nameOf));
const listed = JSON.parse(readFileSync(join(root, 'tools/unserved-packages.json'), 'utf8'));
const differences = [
  ...[...unserved].filter((name) => !listed.includes(name)).map((name) => `add ${name}`),
  ...listed.filter((name) => !unserved.has(name)).map((name) => `remove ${name}`),
];
if (differences.length > 0) {
  fail(`tools/unserved-packages.json is not what the registry serves:\n  ${differences.join('\n  ')}`);
}
