import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Which modules of one file of tests serve the next one of the same process, too. `key` is that of one of Jest's registries: a path, a
 * URL, or the name of a module of Node.
 *
 * @typedef {(key: string) => boolean} Stays
 */

/** Files of tests, and what helps them: these may keep state of the file that uses them. */
const OF_TESTS = /\/(test|testing)\/|\.(spec|journey)\.tsx?(\?|$)/;
/** Calls `afterEach` when it is loaded, so each file has to load it. */
const ONCE_A_FILE = /\/@testing-library\/react\//;
/** A file that replaces modules, loads them again, or changes `expect`, has all modules of its own. */
const REPLACES =
  /\b(unstable_mockModule|resetModules|isolateModules(Async)?|jest\.(do)?mock|expect\.(extend|add[A-Z]\w+))\b/;
/** Jest gives each module a `@jest/globals` of its own, which stays as long as that module. */
const moduleOf = (/** @type {string} */ key) => key.replace(/^@jest\/globals\//, '');

/** @type {Stays} Modules of packages and of Node. The project's own are loaded again, with fresh state. */
export function packagesStay(key) {
  const module = moduleOf(key);
  return !ONCE_A_FILE.test(module) && (module.includes('/node_modules/') || !module.includes('/'));
}

/** @type {Stays} All modules but those of tests. */
export function allButTestsStay(key) {
  const module = moduleOf(key);
  return packagesStay(module) || !(OF_TESTS.test(module) || ONCE_A_FILE.test(module));
}

/**
 * Whether the file of tests finds the project's own modules as a new process does: it stands beside the sources that it tests, and
 * they may be wrong only at first. Files elsewhere start whole services, which load nearly all modules.
 *
 * @param {string} path
 */
export const wantsNewModules = (path) => relative(ROOT, path).split(sep).includes('src');

/**
 * Whether the file of tests shares modules with others at all. With PULSO_TEST_ISOLATED=1 none does, as Jest has it by itself.
 *
 * @param {string} path
 */
export const sharesModules = (path) =>
  process.env.PULSO_TEST_ISOLATED !== '1' && !REPLACES.test(readFileSync(path, 'utf8'));
