import { join } from 'node:path';
import { checkBreaking } from './breaking.mjs';
import { installWhenNeeded, requireNode, root, run } from './prepare.mjs';

/**
 * `npm test [-- <package>…]`: everything that needs no Docker, browser or network. Contracts and build first; then checks
 * and suites side by side. The last line sums the suites.
 */
requireNode();
installWhenNeeded();
process.env.NX_DAEMON = 'false';
process.env.NX_TUI = 'false';
process.env.FORCE_COLOR ??= '0';
const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
const bin = (name) => join(root, 'node_modules/.bin', name);

run('Contracts', bin('buf'), ['lint'], { cwd: join(root, 'proto') });
checkBreaking();
run('Build', process.execPath, [nx, 'run-many', '-t', 'build']);
const { runSuites } = await import('./suites.mjs');
await runSuites(process.argv.slice(2), [
  { title: 'Lint', command: bin('eslint'), args: ['.'] },
  { title: 'Types', command: bin('tsc'), args: ['-p', '.'] },
  { title: 'Types of the frontend', command: bin('tsc'), args: ['-p', 'frontend', '--noEmit'] },
  { title: 'Format', command: bin('prettier'), args: ['--check', '.', '--log-level', 'warn'] },
  { title: 'Citations', command: process.execPath, args: [join(root, 'tools/citations.mjs')] },
  { title: 'Boundaries', command: 'npm', args: ['run', '--silent', 'boundaries'] },
]);
