import { readFileSync } from 'node:fs';
import { fail } from '../prepare.mjs';
import { median, runsIn, tableOf, writeTable } from './budget.mjs';

/**
 * `node tools/ci/write-budget.mjs <log>…`: writes `tools/ci-budget.json` from the logs of several runs of `npm run ci`, of one
 * commit on one kind of machine.
 */
const files = process.argv.slice(2);
const runs = files.flatMap((file) => runsIn(readFileSync(file, 'utf8')));
if (runs.length === 0) fail('Name the logs of runs of npm run ci that have printed their figures.');
for (const { yardsticks, crowding } of runs) {
  const [from, to] = [Math.min(...yardsticks), Math.max(...yardsticks)].map((seconds) => seconds.toFixed(2));
  console.log(
    `Yardsticks of ${from} to ${to} s of CPU; in the middle their wall time was ${median(crowding).toFixed(2)} times that`,
  );
}
const table = tableOf(runs);
writeTable(table);
console.log(JSON.stringify(table, null, 2));
