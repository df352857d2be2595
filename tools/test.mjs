import { join } from 'node:path';
import { checkBreaking } from './breaking.mjs';
import { installWhenNeeded, requireNode, root, run } from './prepare.mjs';

/**
 * `npm test`: everything that needs no Docker, browser or network. Steps run one after the other, each package's jest
 * prints its own result; the last line sums them. Stops at the first step that fails.
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
run('Types', bin('tsc'), ['-p', '.']);
run('Types of the frontend', bin('tsc'), ['-p', 'frontend', '--noEmit']);
run('Lint', bin('eslint'), ['.']);
run('Format', bin('prettier'), ['--check', '.', '--log-level', 'warn']);
run('Boundaries', 'npm', ['run', '--silent', 'boundaries']);
const { runSuites } = await import('./suites.mjs');
await runSuites(process.argv.slice(2));
