import { relative, resolve } from 'node:path';
import { root } from '../prepare.mjs';
import { runJest } from './jest-run.mjs';
import { MOST_FLAKY } from './report.mjs';

/** @typedef {import('./report.mjs').Report} Report @typedef {{ folder: string, path: string, env?: Record<string, string>, failures: { test: string, error: string }[] }} FailedFile */

/**
 * Runs the files of a package that match `patterns` (none: all). Past the limit, or when Jest crashes, the files that had
 * begun and not ended have failed, and those that had not begun run in a new process, under a limit of its own.
 *
 * @param {{ folder: string, patterns?: string[], name?: string, env?: Record<string, string>, limitMs: number, log: string, signal?: AbortSignal }} suite
 * `folder` relative to the root
 * @param {Report} report gets what passed, and what could not run or end
 * @returns {Promise<FailedFile[]>} the files with failed tests, which are not in the report yet
 */
export async function runSuite({ folder, patterns = [], name, ...options }, report) {
  const failed = [];
  const nameOf = (path) => relative(root, path);
  const title = name ?? [folder, ...patterns].join(' ');
  for (let args = patterns; ;) {
    const run = await runJest(resolve(root, folder), args, options);
    for (const { ended: path, passed, seconds, failures, unloaded } of run.results) {
      report.pass(passed);
      report.spend(nameOf(path), seconds);
      if (unloaded) report.break(nameOf(path), `could not be loaded: ${unloaded}`);
      else if (failures.length > 0) failed.push({ folder, path, env: options.env, failures });
    }
    const ended = new Set(run.results.map(({ ended: path }) => path));
    const hung = run.begun.filter((path) => !ended.has(path));
    for (const path of hung) report.break(nameOf(path), `had begun when its suite ${run.reason}`);
    const left = run.planned?.filter((path) => !run.begun.includes(path)) ?? [];
    if (left.length === 0 || run.begun.length === 0) {
      const isTold = hung.length > 0 || run.results.some((file) => file.unloaded || file.failures.length > 0);
      if (left.length > 0 || !run.planned || (run.code !== 0 && !isTold))
        report.break(`Suites of ${title}`, run.reason);
      return failed;
    }
    args = ['--runTestsByPath', ...left];
  }
}

/**
 * Runs each failed file once more, one after the other. What passes then is flaky. With more failed files than could be
 * chance none is repeated.
 *
 * @param {FailedFile[]} files
 * @param {{ limitMs: number, logOf(file: string): string, signal?: AbortSignal }} options
 * @param {Report} report
 */
export async function repeatFailed(files, { limitMs, logOf, signal }, report) {
  for (const { folder, path, env, failures } of files) {
    const name = relative(root, path);
    if (files.length <= MOST_FLAKY) {
      console.log(`Once more, alone: ${name}`);
      const run = await runJest(resolve(root, folder), ['--runTestsByPath', path], {
        limitMs,
        log: logOf(name),
        env,
        signal,
      });
      const [result] = run.results;
      if (run.code === 0 && result && result.failures.length === 0) {
        report.passLater(name);
        report.pass(failures.length);
        continue;
      }
    }
    for (const failure of failures) report.fail(name, failure);
  }
}
