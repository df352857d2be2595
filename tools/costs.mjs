import { join, relative } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { onEmbeddedEngines } from './suites.mjs';
import { runJest } from './suites/jest-run.mjs';
import { newLog } from './suites/log.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run costs`: measures what each call costs, and writes the table that `npm test` compares with
 * (`deploy/embedded/test/costs/costs.json`).
 */
const LIMIT_MS = 900_000;
const SUITE = 'deploy/embedded/test/costs/costs.int.spec.ts';
if (process.argv.length > 2) fail('npm run costs takes no arguments.');

requireNode();
await installWhenNeeded();
await buildWhenNeeded();
process.env.PULSO_PREBUILT = '1';
process.env.PULSO_WRITE_COSTS = '1';
const signal = abortOnSignal();
const log = newLog('costs');
let run;
await inRunFolder(signal, async () => {
  await onEmbeddedEngines(async () => {
    const path = join(root, SUITE);
    run = await runJest(join(root, 'deploy/embedded'), ['--runTestsByPath', path], {
      log,
      limitMs: LIMIT_MS,
      signal,
    });
  });
});
if (run.code !== 0)
  fail(`The suite failed, and the table is as it was; the output is in ${relative(process.cwd(), log)}`);
console.log('The table is written: read its difference, and say in the commit why it may cost more.');
