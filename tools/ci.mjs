import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { compare, lineOf, readTable, tableOf, writeTable } from './ci/budget.mjs';
import { canCount, counted, cpuOfEnded, machine, measureYardstick } from './ci/cpu.mjs';
import { STEPS } from './ci/steps.mjs';
import { JAVA_ENGINES, jarsOf } from './engines/maven-jars.mjs';
import { requireNode, root } from './prepare.mjs';
import { newLog } from './suites/log.mjs';
import { readReport, Report } from './suites/report.mjs';
import { runLimited } from './suites/run-limited.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run ci [-- --write-budget]`: all that CI runs, one step after the other, also after a failure. Each step has a limit, and
 * all of them have one. The last lines, 60 at most, name each failed test, each file that could not run or end, each flaky file
 * and each step, and then the sum. The CPU time of the steps is compared with `tools/ci-budget.json`, or with `--write-budget`
 * written there. CI itself is `.ci/run`, which first installs what a bare machine lacks and hands on, as arguments, what of
 * that failed.
 */
const MINUTE_MS = 60_000;
const WHOLE_LIMIT_MS = 60 * MINUTE_MS;
/** How many of the slowest files are shown. */
const SLOWEST = 15;
const WRITE_BUDGET = '--write-budget';

const minutes = (seconds) => (seconds / 60).toFixed(1);

requireNode();
process.env.CI = 'true';
// Nx keeps its cache in the user's home, where all checkouts of a machine share it: nothing is green here because it was elsewhere.
process.env.NX_CACHE_DIRECTORY = join(root, '.nx/ci-cache');
process.env.NX_WORKSPACE_DATA_DIRECTORY = join(root, '.nx/ci-data');
const signal = abortOnSignal();
const report = new Report();
const options = process.argv.slice(2);
for (const what of options.filter((option) => option !== WRITE_BUDGET))
  report.break(what, 'failed while this machine was set up');
const deadline = performance.now() + WHOLE_LIMIT_MS;
const counts = canCount();
const measured = { machine: machine(), yardsticks: [], crowding: [], steps: {} };
const ended = [];
await inRunFolder(signal, async () => {
  await downloadJars();
  await measure();
  for (const step of STEPS) {
    ended.push(await run(step));
    await measure();
  }
});
console.log(`\n=== The slowest files\n${slowest(report).join('\n')}`);
const notes = judge();
report.end();
console.log(`\n=== Sum\n${report.lines(stepLines(notes)).join('\n')}`);
process.exit(report.failed > 0 ? 1 : 0);

/** On a new machine, and before any step: what is downloaded is not a part of what suites cost. */
async function downloadJars() {
  try {
    await Promise.all(JAVA_ENGINES.map(jarsOf));
  } catch (error) {
    console.error(`${error.message}. The engines will try again.`);
  }
}

/** Between the steps, because a machine is not equally fast all the time. */
async function measure() {
  if (!counts || signal.aborted) return;
  const { cpuS, wallS } = await measureYardstick();
  measured.yardsticks.push(cpuS);
  measured.crowding.push(wallS / cpuS);
}

/** Compares the CPU time with the table, or writes that. @returns {Record<string, string>} words about each step's CPU time */
function judge() {
  if (!counts) return {};
  console.log(`\n=== The budget\n${lineOf(measured)}`);
  if (options.includes(WRITE_BUDGET)) {
    if (report.failed > 0) console.log('The table is not written, because something has failed.');
    else writeTable(tableOf([measured]));
  }
  const { notes, red } = compare(measured, readTable());
  for (const line of red) report.break('The budget', line);
  return notes;
}

/** A line about each step. @param {Record<string, string>} budget */
function stepLines(budget) {
  const all = ended.reduce((sum, { seconds }) => sum + seconds, 0);
  const setUp = Number(process.env.PULSO_SET_UP_SECONDS);
  const lines = setUp ? [`set-up of the machine and dependencies: ${minutes(setUp)} min`] : [];
  for (const { name, seconds, words } of ended) {
    const share = Math.round((100 * seconds) / all);
    const cpu = budget[name] ? `; ${budget[name]}` : '';
    lines.push(
      seconds > 0 ? `${name}: ${minutes(seconds)} min, ${share} %${words}${cpu}` : `${name}${words}`,
    );
  }
  return lines;
}

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

/** Runs a step, and keeps its CPU time. Resolves to what a line about it says. */
async function run({ name, args, limitMs }) {
  console.log(`\n=== ${name} (${Math.round(performance.now() / 1_000)} s)`);
  const left = deadline - performance.now();
  if (left <= 0) {
    report.break(name, `has not begun within ${WHOLE_LIMIT_MS / MINUTE_MS} minutes`);
    return { name, seconds: 0, words: ': not begun' };
  }
  const log = newLog(name);
  const file = log.replace(/log$/, 'json');
  rmSync(file, { force: true });
  const before = counts ? cpuOfEnded() : 0;
  const { code, reason, seconds } = await runLimited({
    ...(counts ? counted('npm', args) : { command: 'npm', args }),
    env: { PULSO_REPORT: file },
    log,
    limitMs: Math.min(limitMs, left),
    live: true,
    signal,
  });
  const found = readReport(file);
  if (found) report.add(found);
  if (!found?.complete) report.break(name, `${reason} before its end`);
  else if (code !== 0 && found.failed === 0) report.break(name, reason);
  if (counts) {
    measured.steps[name] = {
      cpuS: Math.round(100 * (cpuOfEnded() - before)) / 100,
      tests: found?.passed ?? 0,
      whole: code === 0 && found?.complete === true && found.failed === 0 && found.flaky.length === 0,
    };
  }
  const tests = found
    ? `${found.passed} passed, ${found.failed} failed, ${found.flaky.length} flaky`
    : 'no report';
  const parts = (found?.phases ?? []).map((phase) => `${phase.name} ${minutes(phase.seconds)}`);
  return { name, seconds, words: `${parts.length > 0 ? ` (${parts.join(', ')})` : ''}, ${tests}` };
}
