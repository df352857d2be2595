import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { build, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { runChecks } from './suites.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

const program = (title, path, ...args) => ({
  title,
  command: process.execPath,
  args: [join(root, path), ...args],
});
const npm = (title, ...args) => ({ title, command: 'npm', args: ['run', '--silent', ...args] });

/** What is checked of the whole tree without running its suites, the slowest first. Each needs the build. */
export const CHECKS = [
  npm('Lint', 'lint'),
  npm('Types', 'types'),
  npm('Boundaries', 'boundaries'),
  npm('Boundaries of folders', 'boundaries:folders'),
  program('OpenAPI', 'tools/openapi.mjs', '--check'),
  npm('Unused code', 'unused'),
  npm('Lint of contracts', 'lint', '--workspace', 'proto'),
  program('Breaking changes of contracts', 'tools/check-proto-breaking.mjs'),
  npm('Format', 'format', '--', '--check'),
  program('Citations', 'tools/citations.mjs'),
];

/** `npm run check`: the checks alone, in parallel. The last line is the sum. */
async function main() {
  requireNode();
  await installWhenNeeded();
  await build();
  const report = new Report();
  const signal = abortOnSignal();
  await inRunFolder(signal, () => runChecks(CHECKS, report, signal));
  endWith(report);
}

if (process.argv[1] === import.meta.filename) await main();
