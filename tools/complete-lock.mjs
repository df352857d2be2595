import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Adds the optional packages of other platforms that npm left out of package-lock.json because the registry used did
 * not have them; `npm ci` refuses a lock without them. On such a platform npm installs them by name and version as
 * usual. `npm run lock` runs this after every change of dependencies.
 */
const file = join(dirname(dirname(fileURLToPath(import.meta.url))), 'package-lock.json');
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
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
// The installed packages satisfy the completed lock, so `npm start` need not install again.
const installed = join(dirname(file), 'node_modules', '.package-lock.json');
if (existsSync(installed)) utimesSync(installed, new Date(), new Date());
console.log(`${added} packages of other platforms added to package-lock.json`);
