import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenNeeded, installWhenNeeded, requireNode, root, step } from './prepare.mjs';

/** `npm run bench [index|directory|http|events]`: compare figures of the same run only, never those of different runs. */
requireNode();
installWhenNeeded();
buildWhenNeeded();
step('Building the benchmarks', 'npm', ['run', 'build:bench', '--silent'], { cwd: join(root, 'e2e') });
const BENCHES = {
  events: benchEvents,
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
