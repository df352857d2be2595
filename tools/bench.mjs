import { join } from 'node:path';
import { freePorts } from './free-ports.mjs';
import { buildWhenNeeded, installWhenNeeded, requireNode, root, step } from './prepare.mjs';

/** `npm run bench [index|directory|people|hidden|overload|badges|streams|messages|http|pages]`: compare figures of the same run only. */
requireNode();
await installWhenNeeded();
await buildWhenNeeded();
await step('Building the benchmarks', 'npm', ['run', 'build:bench', '--silent'], { cwd: join(root, 'e2e') });
const BENCHES = {
  index: async () => (await import('../e2e/dist/bench/feed-index.bench.js')).runFeedIndexBench(),
  directory: async () =>
    (await import('../e2e/dist/bench/coach-directory.bench.js')).runCoachDirectoryBench(),
  people: async () => (await import('../e2e/dist/bench/people-figures.bench.js')).runPeopleFiguresBench(),
  hidden: async () => (await import('../e2e/dist/bench/hidden-authors.bench.js')).runHiddenAuthorsBench(),
  overload: async () => (await import('../e2e/dist/bench/overload.bench.js')).runOverloadBench(),
  pages: async () => {
    const [port] = await freePorts(1);
    return (await import('../e2e/dist/bench/page-load.bench.js')).runPageLoadBench(root, port);
  },
  messages: async () => {
    const [port] = await freePorts(1);
    return (await import('../e2e/dist/bench/messages-page.bench.js')).runMessagesPageBench(root, port);
  },
  badges: async () => (await import('../e2e/dist/bench/badges-http.bench.js')).runBadgesHttpBench(),
  streams: async () => (await import('../e2e/dist/bench/event-streams.bench.js')).runEventStreamsBench(),
  http: async () => (await import('../e2e/dist/bench/feed-http.bench.js')).runFeedHttpBench(),
};
const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  console.log(`\n${name}`);
  console.log(JSON.stringify(await BENCHES[name](), null, 2));
}
process.exit(0);
