import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { runParallel } from './run-parallel.mjs';
import { runLimited } from './suites/run-limited.mjs';
import { repeatFailed, runSuite } from './suites/suite.mjs';

/** @typedef {import('./suites/report.mjs').Report} Report */

const SERVICES = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
/** All packages with suites; the slowest first, so that they don't end last. */
export const PACKAGES = [
  ...new Set(['e2e', 'gateway', 'services/posts', 'deploy/embedded', ...SERVICES, 'frontend']),
];
/** The packages whose suites can depend on the engines, besides the journeys of e2e. */
export const ON_ENGINES = [...SERVICES, 'gateway'];

/** How long the suites of a package take, in seconds, on two processors that they share with others. */
const USUAL_S = {
  e2e: 200,
  'e2e api/ cluster/': 240,
  'e2e faults/': 600,
  gateway: 80,
  'services/platform': 190,
};
const OTHERS_USUAL_S = 60;
/** A machine may be three times slower. */
const PATIENCE = 3;
/** Of one file that runs again, and of a check. */
const FILE_LIMIT_MS = 600_000;
const CHECK_LIMIT_MS = 900_000;

const logOf = (name) => join(root, '.logs', `${name.replaceAll(/\W+/g, '-')}.log`);

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
        const { code, reason } = await runLimited({ ...command, log, limitMs: CHECK_LIMIT_MS, signal });
        if (code !== 0) report.break(title, `${reason}: ${lastWords(log)}`);
      };
      return { title, log, run };
    }),
  );
}

/**
 * Runs suites in parallel, and then each failed file once more, alone.
 *
 * @param {{ folder: string, patterns?: string[] }[]} suites
 * @param {Report} report
 * @param {AbortSignal} signal
 */
export async function runSuites(suites, report, signal) {
  const failed = [];
  await runParallel(
    suites.map((suite) => {
      const name = [suite.folder, ...(suite.patterns ?? [])].join(' ');
      const log = newLog(name);
      const limitMs = (USUAL_S[name] ?? OTHERS_USUAL_S) * PATIENCE * 1_000;
      const run = async () => failed.push(...(await runSuite({ ...suite, limitMs, log, signal }, report)));
      return { title: `Suites of ${name}`, log, run };
    }),
  );
  await repeatFailed(
    failed,
    { limitMs: FILE_LIMIT_MS, logOf: (file) => newLog(`again ${file}`), signal },
    report,
  );
}

/** The last lines that a command has printed, in one. */
const lastWords = (log) => readFileSync(log, 'utf8').trim().split('\n').slice(-4).join(' ').slice(-160);

function newLog(name) {
  const log = logOf(name);
  rmSync(log, { force: true });
  return log;
}
