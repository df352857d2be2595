import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';
import { runParallel } from './run-parallel.mjs';

/**
 * `npm run e2e [-- <what Playwright takes>]`: the browser journeys against a Pulso started like a user's. All of them are
 * shared between two browsers, each with a Pulso of its own. The last line is `N passed, N failed`.
 */
requireNode();
await installWhenNeeded();
await buildWhenNeeded();
const playwright = [join(root, 'node_modules/@playwright/test/cli.js'), 'test'];
const cwd = join(root, 'e2e');
const chosen = process.argv.slice(2);

if (chosen.length > 0) {
  rmSync(resultsOf('all'), { force: true });
  const { status } = spawnSync(process.execPath, [...playwright, ...chosen], {
    ...{ cwd, stdio: 'inherit', env: environmentOf('all', 0) },
  });
  end(['all'], status === 0);
} else {
  const halves = ['1-of-2', '2-of-2'];
  for (const half of halves) rmSync(resultsOf(half), { force: true });
  const tasks = halves.map((half, index) => ({
    title: `Browser journeys ${half}`,
    command: process.execPath,
    args: [...playwright, `--shard=${index + 1}/${halves.length}`],
    cwd,
    env: environmentOf(half, index),
  }));
  end(halves, (await runParallel(tasks, abortOnSignal())).length === 0);
}

function resultsOf(part) {
  return join(cwd, 'test-results', part, 'results.json');
}

/** Playwright's configuration reads these. */
function environmentOf(part, index) {
  const port = Number(process.env.E2E_PORT ?? 8199) + index;
  return { ...process.env, E2E_PORT: `${port}`, E2E_PART: part };
}

function end(parts, succeeded) {
  const sum = { passed: 0, failed: 0 };
  for (const part of parts) {
    try {
      const { stats } = JSON.parse(readFileSync(resultsOf(part), 'utf8'));
      sum.passed += stats.expected;
      sum.failed += stats.unexpected + stats.flaky;
    } catch {
      fail(`the browser journeys (${part}) left no result.`);
    }
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exit(succeeded ? 0 : 1);
}
