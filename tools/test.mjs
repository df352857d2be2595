import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import startEngines from './jest-engines.mjs';
import { build, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { PACKAGES, runChecks, runSuites } from './suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * `npm test [-- <package>…]`: everything that needs no Docker, browser or network: the build, the checks, and then the
 * suites, which therefore have the processors for themselves. The last line is `N passed, N failed`.
 */
requireNode();
installWhenNeeded();
process.env.NX_DAEMON = 'false';
process.env.NX_TUI = 'false';
process.env.FORCE_COLOR ??= '0';
const node = (title, ...args) => ({ title, command: process.execPath, args });
const tool = (name) => join(root, 'tools', name);

const only = process.argv.slice(2);
const unknown = only.find((name) => !PACKAGES.includes(name));
if (unknown) fail(`There is no package ${unknown} with suites. The packages are ${PACKAGES.join(', ')}.`);
build();
process.env.PULSO_PREBUILT = '1';
const report = new Report();
const interrupted = abortOnSignal();
await inRunFolder(interrupted, async () => {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const targets = ['lint', 'format', 'types', 'boundaries'];
  await runChecks(
    [
      // Everything is already built: another build, even from the cache, would replace files that others are using.
      node(
        'Lint, format, types, boundaries',
        nx,
        'run-many',
        '--parallel=2',
        '--excludeTaskDependencies',
        '-t',
        ...targets,
      ),
      node('Breaking changes of contracts', tool('check-proto-breaking.mjs')),
      node('OpenAPI', tool('openapi.mjs'), '--check'),
      node('Citations', tool('citations.mjs')),
    ],
    report,
    interrupted,
  );
  await startEngines();
  const suites = PACKAGES.filter((name) => only.length === 0 || only.includes(name));
  await runSuites(
    suites.map((folder) => ({ folder })),
    report,
    interrupted,
  ).finally(() => globalThis.stopTestEngines());
});
endWith(report);
