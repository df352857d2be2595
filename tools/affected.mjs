import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { CHECKS } from './checks.mjs';
import { build, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { onEmbeddedEngines, PACKAGES, runChecks, runSuites, suiteOf } from './suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm run affected [-- --base=<commit>]`: all checks, and then the suites of the packages that a change touches, directly or
 * by what they depend on, compared with `main` or the given commit. Prints how long it took.
 */
requireNode();
await installWhenNeeded();
process.env.NX_DAEMON = 'false';
process.env.NX_TUI = 'false';
await build();
process.env.PULSO_PREBUILT = '1';
const signal = abortOnSignal();
const report = new Report();
const affected = affectedPackages(process.argv.slice(2));
console.log(affected.length > 0 ? `Affected: ${affected.join(', ')}` : 'No suite is affected.');
await inRunFolder(signal, async () => {
  await runChecks(CHECKS, report, signal);
  if (affected.length === 0) return;
  await onEmbeddedEngines(() => runSuites(affected.map(suiteOf), report, signal));
});
console.log(`\n${(performance.now() / 60_000).toFixed(1)} minutes`);
endWith(report);

/** The folders of the packages with suites that the change touches. */
function affectedPackages(options) {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const args = [nx, 'show', 'projects', '--affected', '--json', ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) fail(`what is affected is unknown: ${(stderr || stdout).trim()}`);
  const names = new Set(JSON.parse(stdout).map((name) => name.replace('@pulso/', '')));
  return PACKAGES.filter((folder) => names.has(folder.split('/').at(-1)));
}
