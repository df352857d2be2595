import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePorts } from './free-ports.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root, step } from './prepare.mjs';

/**
 * `npm run bench -- [events|index|directory|people|hidden|overload|pages|messages|badges|streams|uploads|delivery|http|hop|calls]…`: compare
 * figures of the same run only, never those of different runs. `calls --against <checkout>`, which may be repeated, measures
 * other checkouts in the same rounds, and so does `pages`; without it they measure this one alone. `calls --profile cluster` measures
 * the processes of `npm run start:cluster`, which needs its engines on this machine, in place of `npm start`.
 */
requireNode();
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string', default: 'embedded' },
  },
});
if (!['embedded', 'cluster'].includes(values.profile)) fail('--profile: must be embedded or cluster.');
await installWhenNeeded();
await buildWhenNeeded();
await step('Building the benchmarks', 'npm', ['run', 'build:bench', '--silent'], { cwd: join(root, 'e2e') });
const BENCHES = {
  events: benchEvents,
  index: async () => (await import('../e2e/dist/bench/feed-index.bench.js')).runFeedIndexBench(),
  directory: async () =>
    (await import('../e2e/dist/bench/coach-directory.bench.js')).runCoachDirectoryBench(),
  people: async () => (await import('../e2e/dist/bench/people-figures.bench.js')).runPeopleFiguresBench(),
  hidden: async () => (await import('../e2e/dist/bench/hidden-authors.bench.js')).runHiddenAuthorsBench(),
  overload: async () => (await import('../e2e/dist/bench/overload.bench.js')).runOverloadBench(),
  pages: async () => {
    const checkouts = [root, ...values.against];
    return (await import('../e2e/dist/bench/page-load.bench.js')).runPageLoadBench(
      checkouts,
      await freePorts(checkouts.length),
    );
  },
  messages: async () => {
    const [port] = await freePorts(1);
    return (await import('../e2e/dist/bench/messages-page.bench.js')).runMessagesPageBench(root, port);
  },
  badges: async () => (await import('../e2e/dist/bench/badges-http.bench.js')).runBadgesHttpBench(),
  streams: async () => (await import('../e2e/dist/bench/event-streams.bench.js')).runEventStreamsBench(),
  uploads: async () => (await import('../e2e/dist/bench/uploads.bench.js')).runUploadsBench(),
  delivery: async () => (await import('../e2e/dist/bench/delivery.bench.js')).runDeliveryBench(),
  http: async () => (await import('../e2e/dist/bench/feed-http.bench.js')).runFeedHttpBench(),
  hop: async () => (await import('../e2e/dist/bench/hop/hop.bench.js')).runHopBench(),
  calls: async () => {
    const checkouts = [root, ...values.against];
    return (await import('../e2e/dist/bench/calls.bench.js')).runCallsBench(
      checkouts,
      await freePorts(checkouts.length),
      values.profile,
    );
  },
};
const unknown = asked.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown !== undefined)
  fail(`There is no benchmark ${unknown}. There are ${Object.keys(BENCHES).join(', ')}.`);
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  console.log(`\n${name}`);
  console.log(JSON.stringify(await BENCHES[name](), null, 2));
}
process.exit(0);

/** Also over Kafka, where this machine can run it or PULSO_TEST_KAFKA_BROKERS names one. */
async function benchEvents() {
  const { runEventsBench } = await import('../e2e/dist/bench/events.bench.js');
  const brokers = process.env.PULSO_TEST_KAFKA_BROKERS;
  if (brokers) return runEventsBench({ brokers });
  if (spawnSync('java', ['-version']).error) {
    console.log('No Java here: only the embedded bus is measured.');
    return runEventsBench();
  }
  // Not before the dependencies are installed.
  const { startKafka } = await import('./engines/kafka.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'pulso-bench-kafka-'));
  const kafka = await startKafka(folder);
  try {
    return await runEventsBench({ brokers: kafka.brokers });
  } finally {
    await kafka.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
