import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askedFor } from './asked-for.mjs';
import { FILES_USED, OUTSIDE } from './outside.mjs';

/**
 * `node tools/bundling/collect.mjs <folder of a package> <target> <program>…`: puts apart what an image needs to run programs of a bundled
 * package, under the paths that it has in the repository: `<target>/programs` has the programs with their chunks, and
 * `<target>/packages` the packages of OUTSIDE that they ask for, with their dependencies. Two folders, since the second seldom changes.
 */

/**
 * @param {{ root: string, folder: string, programs: string[], target: string }} what `root` of the repository, `folder` of the package
 *   below it; `programs` by name, such as `cli/main`
 * @returns {{ scripts: string[], packages: string[] }} their paths below `root`
 */
export function collect({ root, folder, programs, target }) {
  const { scripts, names } = reachedFrom(programs.map((name) => join(root, folder, 'bundle', `${name}.js`)));
  const packages = closureOf(
    names.filter((name) => Object.hasOwn(OUTSIDE, name)),
    join(root, folder),
    root,
  );
  const manifest = join(root, folder, 'package.json');
  const maps = scripts.map((script) => `${script}.map`).filter((map) => existsSync(map));
  for (const name of ['programs', 'packages']) mkdirSync(join(target, name), { recursive: true });
  // It says that the scripts are ES modules.
  for (const file of [manifest, ...scripts, ...maps])
    cpSync(file, join(target, 'programs', relative(root, file)));
  for (const path of packages) copyPackage(path, join(target, 'packages', relative(root, path)));
  const fromRoot = (/** @type {string} */ path) => relative(root, path).split(sep).join('/');
  return { scripts: scripts.map(fromRoot), packages: packages.map(fromRoot) };
}

/** The scripts that the first ones load, themselves too, and the names of the packages that all of these ask for. */
function reachedFrom(/** @type {string[]} */ first) {
  const scripts = new Set(first);
  const names = new Set();
  // A set gives also what is added meanwhile.
  for (const script of scripts) {
    const { files, packages } = askedFor(readFileSync(script, 'utf8'));
    for (const file of files) scripts.add(join(dirname(script), file));
    for (const name of packages) names.add(name);
  }
  return { scripts: [...scripts], names: [...names] };
}

/**
 * The folders of packages, as Node finds them from `folder`, and of all that they depend on. Throws where one is not installed; an optional
 * one may be missing, as those of other platforms are.
 *
 * @param {string[]} names
 * @param {string} folder
 * @param {string} root
 */
function closureOf(names, folder, root) {
  const found = new Set(names.map((name) => packageFrom(name, folder, root) ?? notInstalled(name, folder)));
  for (const path of found) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(path, 'package.json'), 'utf8'),
    );
    if (usedOf(path)) continue;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const isOptional = name in { ...optionalDependencies } || peerDependenciesMeta?.[name]?.optional;
      const other = packageFrom(name, path, root);
      if (other) found.add(other);
      else if (!isOptional) notInstalled(name, path);
    }
  }
  return [...found];
}

/** @returns {never} */
function notInstalled(/** @type {string} */ name, /** @type {string} */ path) {
  throw new Error(`${name} is not installed, which ${path} needs`);
}

/** @returns {string | undefined} */
function packageFrom(/** @type {string} */ name, /** @type {string} */ from, /** @type {string} */ root) {
  const path = join(from, 'node_modules', name);
  if (existsSync(join(path, 'package.json'))) return path;
  return from === root ? undefined : packageFrom(name, dirname(from), root);
}

/** The files of a package that Pulso uses, where it does not use all. @returns {readonly string[] | undefined} */
function usedOf(/** @type {string} */ path) {
  const name = path.split(`${sep}node_modules${sep}`).at(-1)?.split(sep).join('/') ?? '';
  return Object.hasOwn(FILES_USED, name) ? FILES_USED[name] : undefined;
}

function copyPackage(/** @type {string} */ path, /** @type {string} */ copy) {
  const used = usedOf(path);
  if (used) for (const file of ['package.json', ...used]) cpSync(join(path, file), join(copy, file));
  else {
    // A package inside of it is another one, which is copied if it is needed.
    const inner = join(path, 'node_modules');
    cpSync(path, copy, { recursive: true, filter: (file) => file !== inner });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, target, ...programs] = process.argv.slice(2);
  if (!folder || !target || programs.length === 0)
    throw new Error('Usage: node tools/bundling/collect.mjs <folder of a package> <target> <program>…');
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const { scripts, packages } = collect({ root, folder, programs, target });
  console.log(
    `${target}: ${scripts.length} scripts, and ${packages.length} packages: ${packages.join(', ')}`,
  );
}
