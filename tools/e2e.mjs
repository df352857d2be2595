import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';

/**
 * `npm run e2e`: the browser journeys against a Pulso started like a user's. The last line is `N passed, N failed`.
 */
requireNode();
installWhenNeeded();
buildWhenNeeded();
const results = join(root, 'e2e/test-results/results.json');
rmSync(results, { force: true });
const playwright = join(root, 'node_modules/@playwright/test/cli.js');
const { status } = spawnSync(process.execPath, [playwright, 'test', ...process.argv.slice(2)], {
  cwd: join(root, 'e2e'),
  stdio: 'inherit',
});
let stats;
try {
  stats = JSON.parse(readFileSync(results, 'utf8')).stats;
} catch {
  fail('the browser journeys left no result.');
}
console.log(`${stats.expected} passed, ${stats.unexpected + stats.flaky} failed`);
process.exit(status ?? 1);
