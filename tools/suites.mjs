import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import startEngines from './jest-engines.mjs';
import { abortOnSignal } from './abort-on-signal.mjs';
import { fail, root } from './prepare.mjs';
import { runParallel } from './run-parallel.mjs';

const SLOWEST_FIRST = ['e2e', 'gateway', 'services/posts', 'deploy/embedded'];
/** All packages with suites; the slowest first, so that they don't end last. */
const PACKAGES = [
  ...new Set([
    ...SLOWEST_FIRST,
    ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
    'frontend',
  ]),
];

/**
 * Runs the suites of `only` (empty: all packages) on one set of engines, in parallel with `checks`. Prints `N passed,
 * N failed` as the last line and ends the process, with code 1 when anything failed.
 */
export async function runSuites(only, checks = []) {
  process.env.PULSO_PREBUILT = '1';
  const interrupted = abortOnSignal();
  const sum = new Sum();
  const suites = PACKAGES.filter((name) => only.length === 0 || only.includes(name)).map((folder) =>
    suiteOf(folder, sum),
  );
  // The slowest suite, then the checks.
  const [longest, ...others] = suites;
  const tasks = [longest, ...checks, ...others].filter(Boolean);
  try {
    await startEngines();
    try {
      const failed = await runParallel(tasks, interrupted);
      await runFailedAgain(sum, failed, interrupted);
    } finally {
      await globalThis.stopTestEngines();
    }
    printSum(sum);
  } catch (error) {
    if (interrupted.aborted) fail('Interrupted.');
    throw error;
  }
}

/** More flaky files than this are a fault of the product or of the machine, not chance. */
const MOST_FLAKY = 10;

/** What a run has found: tests by number, failed files and steps by name. */
export class Sum {
  passed = 0;
  failed = 0;
  /** Files with a failed test, which are run once more: `{ folder, file, count }`. */
  failedFiles = [];
  /** Files that passed only when they ran once more. */
  flaky = [];
  /** What is red: steps, and files that failed twice or could not be loaded. */
  red = [];
}

/** Prints the sum and ends the process, with code 1 when anything failed. */
export function printSum(sum) {
  if (sum.flaky.length > MOST_FLAKY) sum.red.push(`more than ${MOST_FLAKY} flaky files`);
  for (const file of sum.flaky) console.log(`flaky: ${file}`);
  for (const name of sum.red) console.log(`Failed: ${name}`);
  if (sum.red.length > 0 && sum.failed === 0) sum.failed = sum.red.length;
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exit(sum.red.length > 0 || sum.failed > 0 ? 1 : 0);
}

/** The suites of a package, or those whose paths match `patterns`, as a task that adds its result to `sum`. */
export function suiteOf(folder, sum, patterns = []) {
  const name = [folder, ...patterns].join(' ');
  const jest = jestRun(folder, patterns);
  return {
    ...jest.task,
    title: `Suites of ${name}`,
    ended(code) {
      const result = jest.result();
      // A run that crashed left no result.
      if (!result) {
        sum.red.push(`Suites of ${name}: ended with code ${code} and without a result`);
        return;
      }
      sum.passed += result.numPassedTests;
      sum.failed += result.numFailedTests;
      const failed = result.testResults.filter(({ status }) => status === 'failed');
      for (const { name: path, assertionResults } of failed) {
        const file = relative(join(root, folder), path);
        const count = assertionResults.filter((test) => test.status === 'failed').length;
        // Without results of tests it could not be loaded; without a failed one its clean-up failed.
        if (assertionResults.length === 0) {
          sum.failed += 1;
          sum.red.push(`${folder}/${file} could not be loaded`);
        } else sum.failedFiles.push({ folder, file, count });
      }
      if (code !== 0 && failed.length === 0) sum.red.push(`Suites of ${name}: ended with code ${code}`);
    },
  };
}

/**
 * Runs each failed file once more, alone. What passes then is flaky, and its tests count as passed. `failed` are the
 * titles of failed tasks: those that are no suites are red.
 */
export async function runFailedAgain(sum, failed, interrupted) {
  sum.red.push(...failed.filter((title) => !title.startsWith('Suites of ')));
  const files = sum.failedFiles.splice(0);
  for (const { folder, file, count } of files) {
    const name = `${folder}/${file}`;
    if (files.length > MOST_FLAKY) {
      sum.red.push(name);
      continue;
    }
    const jest = jestRun(folder, ['--runTestsByPath', file]);
    const [red] = await runParallel([{ ...jest.task, title: `Once more: ${name}` }], interrupted);
    if (red !== undefined || !jest.result()?.success) sum.red.push(name);
    else {
      sum.flaky.push(name);
      sum.failed -= count;
      sum.passed += count;
    }
  }
}

let runs = 0;

/** A run of Jest in a package. `result()` reads what it found; undefined when it crashed. */
function jestRun(folder, args) {
  runs += 1;
  const output = join(tmpdir(), `pulso-jest-${process.pid}-${runs}.json`);
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
  return {
    task: {
      command: process.execPath,
      // What a failed test leaves running must not keep Jest from ending.
      args: [...node, '--forceExit', '--json', `--outputFile=${output}`, '--silent=false', ...args],
      cwd: join(root, folder),
    },
    result() {
      if (!existsSync(output)) return undefined;
      const result = JSON.parse(readFileSync(output, 'utf8'));
      rmSync(output);
      return result;
    },
  };
}
