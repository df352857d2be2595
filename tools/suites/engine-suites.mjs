import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/** @typedef {import('../suites.mjs').Suite} Suite */

/** The names of suites that use an engine; `e2e/support/engine-suites.spec.ts` holds them to it. All run in `npm test`. */
const NAMED = '(int|kafka|redis|s3)';

/**
 * Suites of rules that the service's own code decides: they neither race, lock, migrate nor look at a plan, and the API journeys
 * send their statements to every engine. So they run once, in `npm test`. A suite that is not listed here runs on engines.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const RUN_ONCE = {
  'services/billing': ['commands', 'prices', 'rebuild'],
  'services/identity': ['directory', 'directory-merit', 'people', 'subscribers'],
  'services/media': ['reconcile'],
  'services/social': ['blocks', 'follows', 'hidden-users', 'reviews'],
};

/**
 * Suites on the document store. The native engines have the one that `npm test` starts, too, so they run again only where the
 * engines are others. The event bus below them has its own suites.
 */
export const ON_DOCUMENTS = { packages: ['services/messaging', 'services/posts'], folders: ['mongo'] };

/** The packages with suites that an engine can change, besides the journeys of e2e. */
export const ON_ENGINES = [
  ...readdirSync(join(root, 'services'))
    .map((name) => `services/${name}`)
    .filter((folder) => folder !== 'services/registry'),
  'gateway',
];

/** In seconds, of those that take long. */
const USUAL_S = { 'services/platform': 160, 'services/billing': 200, 'services/media': 120 };

/**
 * The suites of `npm run test:engines`.
 *
 * @param {{ native: boolean }} options `native`: on programs of this machine
 * @returns {Suite[]}
 */
export function engineSuites({ native }) {
  const packages = ON_ENGINES.filter((folder) => !native || !ON_DOCUMENTS.packages.includes(folder));
  return packages.map((folder) => ({
    folder,
    patterns: [patternOf(folder, native)],
    name: `${folder} on engines`,
    usualS: USUAL_S[folder] ?? 80,
  }));
}

/** A regular expression. Jest takes a suite whose path it matches, the whole one or that from the package's folder. */
function patternOf(folder, native) {
  const without = [
    ...(RUN_ONCE[folder] ?? []).map((name) => `${name}\\.int\\.`),
    ...(native ? ON_DOCUMENTS.folders.map((name) => `${name}/`) : []),
  ];
  const not = without.length > 0 ? `(?!(.*/)?test/(${without.join('|')}))` : '';
  return `^${not}.*\\.${NAMED}\\.spec\\.ts$`;
}
