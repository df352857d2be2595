import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { onEmbeddedEngines, PACKAGES } from './suites.mjs';
import { runJest } from './suites/jest-run.mjs';
import { newLog } from './suites/log.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run flaky -- <file> [times] [busy loops]`: runs one file of tests many times (20), beside so many programs (2) that
 * keep a processor busy. Prints each failure, and how often the file failed.
 */
const LIMIT_MS = 900_000;
const [file, times = '20', loops = '2'] = process.argv.slice(2);
const path = file && [resolve(file), join(root, file)].find((one) => existsSync(one));
if (!path) fail(`${file ?? 'No file'}: name a file of tests. npm run flaky -- <file> [times] [busy loops]`);
const folder = PACKAGES.find((name) => relative(root, path).startsWith(`${name}/`));
if (!folder) fail(`${file} is in none of ${PACKAGES.join(', ')}.`);
const numbers = [times, loops].map(Number);
if (numbers.some((number) => !Number.isInteger(number) || number < 0 || number > 1_000))
  fail('Times and busy loops are whole numbers up to 1000.');

requireNode();
await installWhenNeeded();
await buildWhenNeeded();
process.env.PULSO_PREBUILT = '1';
const signal = abortOnSignal();
const log = newLog('flaky');
const busy = Array.from({ length: numbers[1] }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
let failed = 0;
await inRunFolder(signal, async () => {
  try {
    await onEmbeddedEngines(runAll);
  } finally {
    for (const loop of busy) loop.kill('SIGKILL');
  }
});
console.log(`${numbers[0]} runs, ${failed} failed; their output is in ${relative(process.cwd(), log)}`);
process.exit(failed > 0 ? 1 : 0);

async function runAll() {
  for (let time = 1; time <= numbers[0]; time += 1) {
    const run = await runJest(join(root, folder), ['--runTestsByPath', path], {
      log,
      limitMs: LIMIT_MS,
      signal,
    });
    if (run.code === 0) continue;
    failed += 1;
    const [result] = run.results;
    console.log(`${time}: ${result?.unloaded ?? (result ? '' : run.reason)}`);
    for (const { test, error } of result?.failures ?? []) console.log(`  ${test}: ${error}`);
  }
}
