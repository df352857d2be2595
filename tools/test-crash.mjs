import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';
import { runSuites } from './suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run test:crash [-- <name>…]`: the suites that start Pulso as `npm start` and `npm run dev` do, and kill it. They take
 * minutes, so `npm test` leaves them to this step of CI. The last line is `N passed, N failed`.
 */
requireNode();
await installWhenNeeded();
await buildWhenNeeded();
process.env.PULSO_PREBUILT = '1';
const wanted = process.argv.slice(2).map((name) => `crash/${name}`);
// The slowest file beside all others.
const halves = [['crash/signals'], ['crash/(?!signals)']];
const suites = (wanted.length > 0 ? [wanted] : halves).map((patterns) => ({
  folder: 'e2e',
  patterns,
  usualS: 240,
}));
const report = new Report();
const signal = abortOnSignal();
await inRunFolder(signal, () => runSuites(suites, report, signal));
endWith(report);
