import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/**
 * @typedef {{ processor: string, cores: number, node: string }} Machine
 * @typedef {{ cpuS: number, tests: number }} Figures CPU seconds of a step, and its passed tests
 * @typedef {Figures & { whole: boolean }} Measured `whole`: nothing has failed, run twice or reached its limit
 * @typedef {object} Run what a run of CI has measured
 * @property {Machine} machine
 * @property {number[]} yardsticks CPU seconds of the yardstick, measured before, between and after the steps
 * @property {number[]} crowding the yardstick's wall time for each second of its CPU time, measured at the same times
 * @property {Record<string, Measured>} steps by name
 * @typedef {object} Table `tools/ci-budget.json`
 * @property {Machine & { yardstickS: number }} machine
 * @property {number} runs of how many the steps have the upper figures
 * @property {Record<string, Figures>} steps in CPU seconds of a machine on which the yardstick takes `yardstickS`
 */

const FILE = join(root, 'tools/ci-budget.json');
/** A step may grow by this share without a change of the table. */
export const LIMIT = 0.1;
/** When the yardsticks of a run differ by more than this share, the machine was not the same all the time. */
export const STEADY = 0.25;
/**
 * A machine that is faster or slower by more than this share than that of the table: the yardstick then does not tell how
 * much each kind of work is faster or slower.
 */
export const ALIKE = 0.5;
/**
 * When the yardstick's wall time is more than its CPU time by this share, it had to wait for other programs. Work then takes
 * more CPU time, too, but not in proportion: timers and polling go on meanwhile.
 */
export const ALONE = 0.3;
/** Precedes the figures of a run in its log, which `writeBudget` reads there. */
const MARK = 'Figures for tools/ci-budget.json: ';

/** @returns {Table | undefined} undefined while nothing has been measured */
export const readTable = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined);

/** @param {Table} table */
export const writeTable = (table) => writeFileSync(FILE, `${JSON.stringify(table, null, 2)}\n`);

/** The figures of a run as a line for its log. @param {Run} run */
export const lineOf = (run) => MARK + JSON.stringify(run);

/** The runs whose figures a log has. @param {string} log @returns {Run[]} */
export const runsIn = (log) =>
  log
    .split('\n')
    .filter((line) => line.includes(MARK))
    .map((line) => JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)));

/**
 * The table of what some runs have measured: of each step the upper figure, so that the limit lies beyond what chance does.
 * Throws when the runs are of different machines, or no run has measured a step as a whole.
 *
 * @param {Run[]} runs
 * @returns {Table}
 */
export function tableOf(runs) {
  const kinds = new Set(runs.map(({ machine }) => kindOf(machine)));
  if (kinds.size !== 1) throw new Error(`These are runs of ${kinds.size} kinds of machines`);
  const yardstickS = median(runs.flatMap(({ yardsticks }) => yardsticks));
  const steps = {};
  for (const run of runs) {
    const scale = yardstickS / median(run.yardsticks);
    for (const [name, { cpuS, tests, whole }] of Object.entries(run.steps)) {
      steps[name] ??= { cpuS: 0, tests: 0 };
      if (!whole) continue;
      const scaled = cpuS * scale;
      if (scaled > steps[name].cpuS) steps[name] = { cpuS: round(scaled), tests };
    }
  }
  const missing = Object.keys(steps).filter((name) => steps[name].cpuS === 0);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')}: something has failed or run twice in each run`);
  return { machine: { ...runs[0].machine, yardstickS: round(yardstickS) }, runs: runs.length, steps };
}

/**
 * Compares a run with the table.
 *
 * @param {Run} run
 * @param {Table | undefined} table
 * @returns {{ notes: Record<string, string>, red: string[] }} `notes`: a few words for each step of the run; `red`: a line for
 * each step that has grown beyond the limit
 */
export function compare(run, table) {
  const reason = whyNot(run, table);
  const notes = {};
  const red = [];
  for (const [name, { cpuS, tests, whole }] of Object.entries(run.steps)) {
    const then = table?.steps[name];
    const own =
      reason ?? (whole ? (then ? undefined : 'not in the table') : 'something has failed or run twice');
    if (own) {
      notes[name] = `${words({ cpuS, tests })}, not compared: ${own}`;
      continue;
    }
    const now = { cpuS: (cpuS * table.machine.yardstickS) / median(run.yardsticks), tests };
    const change = growth(now.cpuS, then.cpuS);
    notes[name] = `${words(now)}: ${change} of the table's ${words(then)}`;
    if (now.cpuS > then.cpuS * (1 + LIMIT))
      red.push(
        `${name}: ${words(now)}, in the table ${words(then)}: ${change}, limit +${percent(LIMIT)}. ` +
          'On purpose? npm run ci -- --write-budget; a commit of its own says why',
      );
  }
  return { notes, red };
}

/** Why a run cannot be compared; undefined when it can. */
function whyNot({ machine, yardsticks, crowding }, table) {
  if (!table) return 'there is no table';
  const [own, its] = [kindOf(machine), kindOf(table.machine)];
  if (own !== its) return `another machine: ${own}, the table's is ${its}`;
  const crowd = median(crowding);
  if (crowd > 1 + ALONE)
    return `other programs used the machine: the yardstick took ${crowd.toFixed(2)} times its CPU time`;
  const spread = Math.max(...yardsticks) / Math.min(...yardsticks) - 1;
  if (spread > STEADY)
    return `the machine was not steady: its yardsticks differ by ${percent(spread)}, more than ${percent(STEADY)}`;
  const speed = median(yardsticks) / table.machine.yardstickS;
  if (Math.max(speed, 1 / speed) > 1 + ALIKE)
    return `the machine takes ${speed.toFixed(2)} of the time that the table's does, beyond what can be scaled`;
  return undefined;
}

const kindOf = ({ processor, cores, node }) => `${processor}, ${cores} cores, Node ${node}`;
const percent = (share) => `${Math.round(100 * share)} %`;
const round = (seconds) => Math.round(1_000 * seconds) / 1_000;
const words = ({ cpuS, tests }) =>
  `${cpuS.toFixed(0)} s of CPU (${((1_000 * cpuS) / Math.max(1, tests)).toFixed(0)} ms a test)`;
const growth = (now, then) => `${now >= then ? '+' : ''}${(100 * (now / then - 1)).toFixed(1)} %`;

/** @param {number[]} values @returns {number} */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
