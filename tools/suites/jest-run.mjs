import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { runLimited } from './run-limited.mjs';

const JEST = join(root, 'node_modules/jest/bin/jest.js');

/**
 * @typedef {{ ended: string, passed: number, seconds: number, failures: { test: string, error: string }[], unloaded?: string }} FileResult
 * @typedef {{
 *   planned: string[] | undefined, begun: string[], results: FileResult[],
 *   code: number | null, overLimit: boolean, seconds: number, reason: string,
 * }} JestRun `planned` is undefined when Jest has not come as far as that
 */

/**
 * One run of Jest in the folder of a package, within `limitMs`; see `runLimited` for the other options.
 *
 * @param {string} folder
 * @param {string[]} args patterns of files, or `--runTestsByPath` with paths
 * @param {{ log: string, limitMs: number, env?: Record<string, string>, signal?: AbortSignal }} options
 * @returns {Promise<JestRun>}
 */
export async function runJest(folder, args, options) {
  const place = mkdtempSync(join(tmpdir(), 'pulso-jest-'));
  const progress = join(place, 'progress');
  try {
    const ended = await runLimited({
      ...options,
      command: process.execPath,
      args: [
        ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', JEST],
        // Options that take a list come first: they would take the patterns, too.
        ...['--reporters=default', `--reporters=${join(import.meta.dirname, 'jest-progress.mjs')}`],
        `--testSequencer=${join(import.meta.dirname, 'jest-sequencer.mjs')}`,
        // What a failed test leaves running must not keep Jest from ending.
        '--forceExit',
        ...args,
      ],
      cwd: folder,
      env: { ...options.env, PULSO_JEST_PROGRESS: progress },
    });
    return { ...ended, ...readProgress(progress) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function readProgress(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // A line that a crash has cut ends without a line break.
  const events = lines.slice(0, -1).map((line) => JSON.parse(line));
  return {
    planned: events.find(({ planned }) => planned)?.planned,
    begun: events.flatMap(({ begun = [] }) => begun),
    results: events.filter(({ ended }) => ended),
  };
}
