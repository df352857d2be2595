import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import startEngines from './jest-engines.mjs';
import { root } from './prepare.mjs';
import { runParallel } from './run-parallel.mjs';
import { newLog } from './suites/log.mjs';
import { runLimited } from './suites/run-limited.mjs';
import { repeatFailed, runSuite } from './suites/suite.mjs';

/** @typedef {import('./suites/report.mjs').Report} Report */

const SERVICES = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
/** All packages with suites. */
export const PACKAGES = [
  'e2e',
  'gateway',
  'deploy/embedded',
  'deploy/stripe-simulator',
  ...SERVICES,
  'frontend',
];

/**
 * @typedef {object} Suite
 * @property {string} folder
 * @property {string[]} [patterns]
 * @property {string} [name] folder and patterns unless given
 * @property {number} [usualS] how long it takes, in seconds, on two processors that it shares with another one
 * @property {Record<string, string>} [env] variables that its process gets besides this one's
 */

/**
 * The suites of a package in `npm test`. Of e2e these are the journeys over the API: those that kill processes are
 * `npm run test:crash`, those in the browser `npm run e2e`.
 *
 * @returns {Suite}
 */
export const suiteOf = (folder) =>
  folder === 'e2e'
    ? { folder, patterns: ['api/', 'support/'], usualS: 150 }
    : { folder, usualS: USUAL_S[folder] ?? 80 };

const USUAL_S = {
  gateway: 200,
  frontend: 150,
  'services/billing': 200,
  'services/media': 120,
  'services/platform': 120,
  'services/posts': 120,
  'deploy/embedded': 100,
  'deploy/stripe-simulator': 40,
};
/** Of a suite whose usual time is not known. */
const OTHERS_USUAL_S = 120;
/** A machine may be three times slower. */
const PATIENCE = 3;
/** Of one file that runs again, and of a check. */
const FILE_LIMIT_MS = 600_000;
const CHECK_LIMIT_MS = 900_000;

/**
 * Runs commands in parallel; each one that fails is named in the report.
 *
 * @param {{ title: string, command: string, args: string[], cwd?: string }[]} checks
 * @param {Report} report
 * @param {AbortSignal} signal
 */
export async function runChecks(checks, report, signal) {
  await runParallel(
    checks.map(({ title, ...command }) => {
      const log = newLog(title);
      const run = async () => {
        const { code, seconds, reason } = await runLimited({
          ...command,
          log,
          limitMs: CHECK_LIMIT_MS,
          signal,
        });
        report.spend(title, seconds);
        if (code === 0) report.pass(1);
        else report.break(title, `${reason}: ${lastWords(log)}`);
      };
      return { title, log, run };
    }),
  );
}

/**
 * Runs suites in parallel, the longest first so that all processors have work to the end, and then each failed file once
 * more, alone.
 *
 * @param {Suite[]} suites
 * @param {Report} report
 * @param {AbortSignal} signal
 * @param {{ atOnce?: number, later?: Promise<Suite[]> }} [options] `atOnce`: one for each processor unless given; more is
 * quicker where suites wait. `later`: suites that follow when something that they need is there
 */
export async function runSuites(
  suites,
  report,
  signal,
  { atOnce = availableParallelism(), later = Promise.resolve([]) } = {},
) {
  const failed = [];
  const crowd = Math.max(1, atOnce / availableParallelism());
  const taskOf = ({ usualS = OTHERS_USUAL_S, ...suite }) => {
    const name = suite.name ?? [suite.folder, ...(suite.patterns ?? [])].join(' ');
    const log = newLog(name);
    const limitMs = usualS * PATIENCE * crowd * 1_000;
    const run = async () => failed.push(...(await runSuite({ ...suite, limitMs, log, signal }, report)));
    return { title: `Suites of ${name}`, log, run };
  };
  const tasksOf = (some) => longestFirst(some).map(taskOf);
  await runParallel(tasksOf(suites), { atOnce, later: later.then(tasksOf) });
  await repeatFailed(
    failed,
    { limitMs: FILE_LIMIT_MS, logOf: (file) => newLog(`again ${file}`), signal },
    report,
  );
}

const longestFirst = (suites) =>
  suites.toSorted((one, other) => (other.usualS ?? OTHERS_USUAL_S) - (one.usualS ?? OTHERS_USUAL_S));

/** Does `work` with the embedded engines running, which the suites that it starts then share. */
export async function onEmbeddedEngines(work) {
  await startEngines();
  try {
    return await work();
  } finally {
    await globalThis.stopTestEngines();
  }
}

/** The last lines that a command has printed, in one. */
const lastWords = (log) => readFileSync(log, 'utf8').trim().split('\n').slice(-4).join(' ').slice(-160);
