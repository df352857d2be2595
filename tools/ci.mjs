import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { requireNode, root } from './prepare.mjs';
import { newLog } from './suites/log.mjs';
import { readReport, Report } from './suites/report.mjs';
import { runLimited } from './suites/run-limited.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run ci`: all that CI runs, one step after the other, also after a failure. Each step has a limit, and all of them
 * have one. The last lines, 60 at most, name each failed test, each file that could not run or end, each flaky file and
 * each step, and then the sum. CI itself is `.ci/run`, which first installs what a bare machine lacks and hands on, as
 * arguments, what of that failed.
 */
const MINUTE_MS = 60_000;
const WHOLE_LIMIT_MS = 60 * MINUTE_MS;
/** How many of the slowest files are shown. */
const SLOWEST = 15;
const STEPS = [
  { name: 'npm test', args: ['test', '--silent'], limitMs: 30 * MINUTE_MS },
  { name: 'npm run test:crash', args: ['run', 'test:crash', '--silent'], limitMs: 20 * MINUTE_MS },
  {
    name: 'npm run test:engines',
    args: ['run', 'test:engines', '--silent', '--', '--native'],
    limitMs: 36 * MINUTE_MS,
  },
  { name: 'npm run e2e', args: ['run', 'e2e', '--silent'], limitMs: 30 * MINUTE_MS },
];

const minutes = (seconds) => (seconds / 60).toFixed(1);

requireNode();
process.env.CI = 'true';
// Nx keeps its cache in the user's home, where all checkouts of a machine share it: nothing is green here because it was elsewhere.
process.env.NX_CACHE_DIRECTORY = join(root, '.nx/ci-cache');
process.env.NX_WORKSPACE_DATA_DIRECTORY = join(root, '.nx/ci-data');
const signal = abortOnSignal();
const report = new Report();
for (const what of process.argv.slice(2)) report.break(what, 'failed while this machine was set up');
const deadline = performance.now() + WHOLE_LIMIT_MS;
const lines = [];
const setUp = Number(process.env.PULSO_SET_UP_SECONDS);
if (setUp) lines.push(`set-up of the machine and dependencies: ${minutes(setUp)} min`);
await inRunFolder(signal, async () => {
  for (const step of STEPS) lines.push(await run(step));
});
report.end();
console.log(`\n=== The slowest files\n${slowest(report).join('\n')}`);
console.log(`\n=== Sum\n${report.lines(lines).join('\n')}`);
process.exit(report.failed > 0 ? 1 : 0);

/** The files and checks that took longest, with their shares of the time that all took, summed over processors. */
function slowest({ times }) {
  const sums = new Map();
  for (const { name, seconds } of times) sums.set(name, (sums.get(name) ?? 0) + seconds);
  const all = [...sums.values()].reduce((sum, seconds) => sum + seconds, 0);
  return [...sums]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, SLOWEST)
    .map(([name, seconds]) => {
      const share = ((100 * seconds) / all).toFixed(1);
      return `${minutes(seconds).padStart(5)} min ${share.padStart(5)} %  ${name}`;
    });
}

/** Resolves to a line about the step. */
async function run({ name, args, limitMs }) {
  console.log(`\n=== ${name} (${Math.round(performance.now() / 1_000)} s)`);
  const left = deadline - performance.now();
  if (left <= 0) {
    report.break(name, `has not begun within ${WHOLE_LIMIT_MS / MINUTE_MS} minutes`);
    return `${name}: not begun`;
  }
  const log = newLog(name);
  const file = log.replace(/log$/, 'json');
  rmSync(file, { force: true });
  const env = { PULSO_REPORT: file };
  const ended = await runLimited({
    command: 'npm',
    args,
    env,
    log,
    limitMs: Math.min(limitMs, left),
    live: true,
    signal,
  });
  const found = readReport(file);
  if (found) report.add(found);
  if (!found?.complete) report.break(name, `${ended.reason} before its end`);
  else if (ended.code !== 0 && found.failed === 0) report.break(name, ended.reason);
  const counts = found
    ? `${found.passed} passed, ${found.failed} failed, ${found.flaky.length} flaky`
    : 'no report';
  const parts = (found?.phases ?? []).map((phase) => `${phase.name} ${minutes(phase.seconds)}`);
  return `${name}: ${minutes(ended.seconds)} min${parts.length > 0 ? ` (${parts.join(', ')})` : ''}, ${counts}`;
}
