import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { newLog } from './suites/log.mjs';
import { endWith, Report } from './suites/report.mjs';
import { runLimited } from './suites/run-limited.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/** Playwright ends by itself before that, and then tells which journeys have not run. */
const LIMIT_MS = 1_500_000;

/**
 * `npm run e2e [-- <file>…]`: the browser journeys against a Pulso started like a user's. The last line is `N passed, N
 * failed`.
 */
requireNode();
await installWhenNeeded();
await buildWhenNeeded();
const results = join(root, 'e2e/test-results/results.json');
rmSync(results, { force: true });
const report = new Report();
const signal = abortOnSignal();
await inRunFolder(signal, async () => {
  const { code, reason } = await runLimited({
    command: process.execPath,
    args: [join(root, 'node_modules/@playwright/test/cli.js'), 'test', ...process.argv.slice(2)],
    cwd: join(root, 'e2e'),
    log: newLog('browser-journeys'),
    limitMs: LIMIT_MS,
    live: true,
    signal,
  });
  readResults(report);
  if (code !== 0 && report.failed === 0) report.break('Browser journeys', reason);
});
endWith(report);

function readResults(report) {
  let result;
  try {
    result = JSON.parse(readFileSync(results, 'utf8'));
  } catch (error) {
    return report.break('Browser journeys', `left no result: ${error.message}`);
  }
  for (const { message } of result.errors) report.break('Browser journeys', message);
  for (const { name, file, test } of journeysOf(result.suites)) {
    report.spend(file, test.results.reduce((sum, { duration }) => sum + duration, 0) / 1_000);
    if (test.status === 'expected') report.pass(1);
    else if (test.status === 'flaky') {
      report.pass(1);
      report.passLater(`${file} › ${name}`);
    } else if (test.status === 'unexpected') {
      const error = test.results.at(-1)?.error?.message ?? 'no message';
      report.fail(file, { test: name, error: error.replaceAll(/\u001b\[\d+m/g, '').split('\n')[0] });
    } else if (!test.annotations.some(({ type }) => type === 'skip')) {
      report.break(`${file} › ${name}`, 'has not run');
    }
  }
}

/** The journeys of a report of Playwright, each with its titles in one line. */
function journeysOf(suites, above = []) {
  return suites.flatMap(({ title, file, specs, suites: inner = [] }) => {
    const path = title === file ? above : [...above, title];
    return [
      ...specs.flatMap((spec) =>
        spec.tests.map((test) => ({
          test,
          file: `e2e/browser/${spec.file}`,
          name: [...path, spec.title].join(' › '),
        })),
      ),
      ...journeysOf(inner, path),
    ];
  });
}
