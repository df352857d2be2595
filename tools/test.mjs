import { abortOnSignal } from './abort-on-signal.mjs';
import { CHECKS } from './checks.mjs';
import { build, fail, installWhenNeeded, requireNode } from './prepare.mjs';
import { onEmbeddedEngines, PACKAGES, runChecks, runSuites, suiteOf } from './suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm test [-- <package>…]`: everything that needs no Docker, browser or network: the build, the checks, and then the
 * suites, which therefore have the processors for themselves. The last line is `N passed, N failed`.
 */
requireNode();
await installWhenNeeded();
process.env.FORCE_COLOR ??= '0';
const only = process.argv.slice(2);
const unknown = only.find((name) => !PACKAGES.includes(name));
if (unknown) fail(`There is no package ${unknown} with suites. The packages are ${PACKAGES.join(', ')}.`);
const report = new Report();
await report.phase('build', build);
process.env.PULSO_PREBUILT = '1';
const interrupted = abortOnSignal();
await inRunFolder(interrupted, async () => {
  await report.phase('checks', () => runChecks(CHECKS, report, interrupted));
  const suites = PACKAGES.filter((name) => only.length === 0 || only.includes(name)).map(suiteOf);
  await report.phase('suites', () => onEmbeddedEngines(() => runSuites(suites, report, interrupted)));
});
endWith(report);
