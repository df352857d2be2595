import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startEngines from './jest-engines.mjs';
import { abortOnSignal } from './abort-on-signal.mjs';
import { fail, root } from './prepare.mjs';
import { runParallel } from './run-parallel.mjs';

const SLOWEST_FIRST = [
  'e2e',
  'gateway',
  'services/platform',
  'frontend',
  'services/posts',
  'services/identity',
];
/** All packages with suites; the slowest first, so that they don't end last. */
const PACKAGES = [
  ...new Set([
    ...SLOWEST_FIRST,
    'deploy/embedded',
    ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  ]),
];

/**
 * Runs the suites of `only` (empty: all packages) on one set of engines, in parallel with `checks`. Prints `N passed,
 * N failed` as the last line and ends the process, with code 1 when anything failed.
 */
export async function runSuites(only, checks = []) {
  process.env.PULSO_PREBUILT = '1';
  const interrupted = abortOnSignal();
  const sum = { passed: 0, failed: 0 };
  const suites = PACKAGES.filter((name) => only.length === 0 || only.includes(name)).map((folder) =>
    suiteOf(folder, sum),
  );
  // The slowest suite, then the checks.
  const [longest, ...others] = suites;
  const tasks = [longest, ...checks, ...others].filter(Boolean);
  try {
    await startEngines();
    const failed = await runParallel(tasks, interrupted).finally(() => globalThis.stopTestEngines());
    printSum(sum, failed);
  } catch (error) {
    if (interrupted.aborted) fail('Interrupted.');
    throw error;
  }
}

/** Prints the sum and ends the process, with code 1 when anything failed. */
export function printSum(sum, failed) {
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`);
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exit(failed.length > 0 || sum.failed > 0 ? 1 : 0);
}

/** The suites of a package, or those whose paths match `patterns`, as a task `name` that adds its result to `sum`. */
export function suiteOf(folder, sum, patterns = [], name = folder) {
  const output = join(tmpdir(), `pulso-jest-${process.pid}-${name.replaceAll(/\W+/g, '-')}.json`);
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
  return {
    title: `Suites of ${name}`,
    command: process.execPath,
    args: [...node, '--json', `--outputFile=${output}`, '--silent=false', ...patterns],
    cwd: join(root, folder),
    ended() {
      // A run that crashed left no result; its exit code marks it as failed.
      if (!existsSync(output)) return;
      const result = JSON.parse(readFileSync(output, 'utf8'));
      rmSync(output);
      sum.passed += result.numPassedTests;
      sum.failed += result.numFailedTests;
    },
  };
}
