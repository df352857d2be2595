import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode } from './prepare.mjs';
import { runSuites } from './suites.mjs';
import { CRASH_SUITES } from './suites/e2e-suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run test:crash [-- <name>…]`: the suites that start Pulso as `npm start` and `npm run dev` do, and kill it. They take
 * minutes, so `npm test` leaves them to CI, which runs them beside those on engines (`npm run test:engines -- --crash`). The
 * last line is `N passed, N failed`.
 */
requireNode();
await installWhenNeeded();
await buildWhenNeeded();
process.env.PULSO_PREBUILT = '1';
const wanted = process.argv.slice(2).map((name) => `crash/${name}`);
const [{ folder, env }] = CRASH_SUITES;
const usualS = CRASH_SUITES.reduce((sum, suite) => sum + suite.usualS, 0);
const suites = wanted.length > 0 ? [{ folder, env, patterns: wanted, usualS }] : CRASH_SUITES;
const report = new Report();
const signal = abortOnSignal();
await inRunFolder(signal, () => runSuites(suites, report, signal));
endWith(report);
