import { join } from 'node:path';
import { checkProtoBreaking } from './check-proto-breaking.mjs';
import { build, installWhenNeeded, requireNode, root } from './prepare.mjs';

/**
 * `npm test [-- <package>…]`: everything that needs no Docker, browser or network. First the contracts and the build,
 * then the checks, which are Nx targets, in parallel with the suites. The last line is the sum of the suites.
 */
requireNode();
await installWhenNeeded();
process.env.NX_DAEMON = 'false';
process.env.NX_TUI = 'false';
process.env.FORCE_COLOR ??= '0';
const nx = join(root, 'node_modules/nx/dist/bin/nx.js');

checkProtoBreaking();
await build();
const { runSuites } = await import('./suites.mjs');
await runSuites(process.argv.slice(2), [
  {
    title: 'Lint, format, types, boundaries',
    command: process.execPath,
    // Everything is already built: another build, even from the cache, would replace files that the suites are using.
    args: [
      nx,
      'run-many',
      '-t',
      'lint-all',
      'format-all',
      'types',
      'boundaries',
      '--parallel=1',
      '--excludeTaskDependencies',
    ],
  },
  {
    title: 'Contracts',
    command: process.execPath,
    args: [nx, 'run', '@pulso/contracts:lint', '--excludeTaskDependencies'],
  },
  { title: 'OpenAPI', command: process.execPath, args: [join(root, 'tools/openapi.mjs'), '--check'] },
  { title: 'Citations', command: process.execPath, args: [join(root, 'tools/citations.mjs')] },
]);
