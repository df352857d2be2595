import { join } from 'node:path';
import { buildWhenNeeded, installWhenNeeded, requireNode, root, step } from './prepare.mjs';

/** `npm run bench [index|directory|http]`: compare figures of the same run only, never those of different runs. */
requireNode();
installWhenNeeded();
buildWhenNeeded();
step('Building the benchmarks', 'npm', ['run', 'build:bench', '--silent'], { cwd: join(root, 'e2e') });
const BENCHES = {
  index: async () => (await import('../e2e/dist/bench/feed-index.bench.js')).runFeedIndexBench(),
  directory: async () =>
    (await import('../e2e/dist/bench/coach-directory.bench.js')).runCoachDirectoryBench(),
  http: async () => (await import('../e2e/dist/bench/feed-http.bench.js')).runFeedHttpBench(),
};
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  console.log(`\n${name}`);
  console.log(JSON.stringify(await BENCHES[name](), null, 2));
}
process.exit(0);
