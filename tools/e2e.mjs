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
let result;
try {
  result = JSON.parse(readFileSync(results, 'utf8'));
} catch {
  fail('the browser journeys left no result.');
}
const { expected, unexpected, flaky } = result.stats;
for (const [outcome, words] of [
  ['flaky', 'flaky'],
  ['unexpected', 'Failed'],
]) {
  for (const title of testsOf(result.suites, outcome)) console.log(`${words}: ${title}`);
}
console.log(`${expected + flaky} passed, ${unexpected} failed`);
process.exit(status ?? 1);

/** The tests with this outcome, as `file › title`. */
function testsOf(suites, outcome, above = []) {
  return suites.flatMap(({ title, specs, suites: inner = [] }) => {
    const path = [...above, title];
    const found = specs.filter(({ tests }) => tests.some(({ status }) => status === outcome));
    return [...found.map((spec) => [...path, spec.title].join(' › ')), ...testsOf(inner, outcome, path)];
  });
}
