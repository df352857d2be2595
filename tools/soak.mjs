import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode } from './prepare.mjs';
import { newLog } from './suites/log.mjs';
import { runSuite } from './suites/suite.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * Long proofs: each is a suite that CI runs in a short form, with a larger setting. A failure tells its seed.
 *
 * @type {Record<string, { about: string, folder: string, pattern: string, env: Record<string, string> }>}
 */
const SOAKS = {
  'feed-worlds': {
    about: 'the feed index against a plain sort, in 10,000 random worlds (FEED_WORLDS, FEED_SEED)',
    folder: 'services/posts',
    pattern: 'feed-index.worlds',
    env: { FEED_WORLDS: '10000' },
  },
  'document-store': {
    about:
      'the document store against mingo, 5,000 random histories a test (DOCUMENT_STORE_ORACLE_RUNS, _ORACLE_SEED)',
    folder: 'deploy/embedded',
    pattern: 'document-store/oracle',
    env: { DOCUMENT_STORE_ORACLE_RUNS: '5000' },
  },
  properties: {
    about: 'the event bus and projections on random orders of events (PULSO_PROPERTY_RUNS)',
    folder: 'services/platform',
    pattern: '(in-process-bus|upsert-if-newer)',
    env: { PULSO_PROPERTY_RUNS: '2000' },
  },
  kills: {
    about: 'kill -9 of `npm start` during writes, 100 rounds (CRASH_ROUNDS, TEST_SEED)',
    folder: 'e2e',
    pattern: 'crash/kill-nine',
    env: { CRASH_ROUNDS: '100' },
  },
  races: {
    about:
      'follows, blocks and reviews of users who act at the same time, 20,000 writes (RACE_WRITES, TEST_SEED)',
    folder: 'e2e',
    pattern: 'api/people-races',
    env: { RACE_WRITES: '20000' },
  },
};
const LIMIT_MS = 4 * 3_600_000;

/** `npm run soak -- <name>`: ends with code 1 when a proof fails; without a name it lists them. */
requireNode();
const [name = ''] = process.argv.slice(2);
const soak = Object.hasOwn(SOAKS, name) ? SOAKS[name] : undefined;
if (!soak) {
  for (const [known, { about }] of Object.entries(SOAKS)) console.log(`${known.padEnd(21)} ${about}`);
  if (name) fail(`There is no soak ${name}.`);
  process.exit(0);
}
installWhenNeeded();
buildWhenNeeded();
for (const [setting, value] of Object.entries(soak.env)) process.env[setting] ??= value;
// A soak's tests last longer than any test of CI may.
process.env.PULSO_TEST_LIMIT_MS = `${LIMIT_MS}`;
process.env.PULSO_PREBUILT = '1';
const report = new Report();
const signal = abortOnSignal();
const log = newLog(`soak ${name}`);
console.log(`Its output is in ${log}`);
await inRunFolder(signal, async () => {
  const failed = await runSuite(
    { folder: soak.folder, patterns: [soak.pattern], limitMs: LIMIT_MS, log, signal },
    report,
  );
  // What fails in a soak is not repeated: its seed says how.
  for (const { path, failures } of failed) for (const failure of failures) report.fail(path, failure);
});
endWith(report);
