import { abortOnSignal } from './abort-on-signal.mjs';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode } from './prepare.mjs';
import { PACKAGES, suiteOf } from './suites.mjs';
import { newLog } from './suites/log.mjs';
import { runSuite } from './suites/suite.mjs';
import { endWith, Report } from './suites/report.mjs';
import { inRunFolder } from './suites/run-folder.mjs';

/**
 * Long proofs: each is a suite that CI runs in a short form, with a larger setting, or a suite of `e2e/soak`, of which CI
 * runs another one in place. A failure tells its seed.
 *
 * @type {Record<string, { about: string, env: Record<string, string>, needs?: string } & (
 *   { folder: string, pattern: string } | { suites: import('./suites.mjs').Suite[] }
 * )>}
 */
const SOAKS = {
  'feed-worlds': {
    about: 'the feed index against a plain sort, in 10,000 random worlds (FEED_WORLDS, FEED_SEED)',
    folder: 'services/posts',
    pattern: 'feed-index.worlds',
    env: { FEED_WORLDS: '10000' },
  },
  feed: {
    about: 'the feed of the service against a plain sort, in 100 random worlds (FEED_WORLDS)',
    folder: 'services/posts',
    pattern: 'test/feed\\.int',
    env: { FEED_WORLDS: '100' },
  },
  'document-store': {
    about:
      'the document store against mingo, 5,000 random histories a test (DOCUMENT_STORE_ORACLE_RUNS, _ORACLE_SEED)',
    folder: 'deploy/embedded',
    pattern: 'document-store/oracle',
    env: { DOCUMENT_STORE_ORACLE_RUNS: '5000' },
  },
  properties: {
    about:
      'the event bus, projections and the relay of outboxes on random orders and failures (PULSO_PROPERTY_TIMES)',
    folder: 'services/platform',
    pattern: '(in-process-bus|upsert-if-newer|relay-property)',
    env: { PULSO_PROPERTY_TIMES: '50' },
  },
  requests: {
    about: 'random URLs over raw sockets and random bodies for every write (PULSO_PROPERTY_TIMES, TEST_SEED)',
    folder: 'gateway',
    pattern: 'test/(any-url|hostile-body)',
    env: { PULSO_PROPERTY_TIMES: '20' },
  },
  uploads: {
    about: 'random forms, and files of the smallest pieces that there are (PULSO_PROPERTY_TIMES, TEST_SEED)',
    folder: 'services/media',
    pattern: 'src/(picture/picture-kinds|upload/read-form)',
    env: { PULSO_PROPERTY_TIMES: '20' },
  },
  kills: {
    about: 'kill -9 of `npm start` during writes, 100 rounds (CRASH_ROUNDS, TEST_SEED)',
    folder: 'e2e',
    pattern: 'crash/kill-nine',
    env: { CRASH_ROUNDS: '100' },
  },
  billing: {
    about: 'kill -9 of billing while members subscribe and unsubscribe, 200 kills (BILLING_KILLS, TEST_SEED)',
    folder: 'services/billing',
    pattern: 'test/kill-nine',
    env: { BILLING_KILLS: '200' },
  },
  'billing-kills': {
    about:
      'kill -9 of billing and of the Stripe simulator between any two steps of what is paid, 10 at each place (BILLING_PLACE_KILLS, BILLING_PLACE_FIRST, TEST_SEED)',
    folder: 'services/billing',
    pattern: 'test/kills',
    env: { BILLING_PLACE_KILLS: '350' },
  },
  'billing-year': {
    about:
      'a year of 1,000 members who pay, with kills and a provider that fails, against the rules (BILLING_YEAR_MEMBERS, _MONTHS, _ACTS, _KILLS, TEST_SEED)',
    folder: 'services/billing',
    pattern: 'test/year/year',
    env: {
      BILLING_YEAR_MEMBERS: '1000',
      BILLING_YEAR_MONTHS: '12',
      BILLING_YEAR_ACTS: '2',
      BILLING_YEAR_KILLS: '0.005',
    },
  },
  media: {
    about:
      'kill -9 of media while users upload, claim and delete and the job removes, 1,000 kills, and 200 thrown histories (MEDIA_KILLS, MEDIA_HISTORIES, TEST_SEED)',
    folder: 'services/media',
    pattern: 'test/(kill-nine|histories)',
    env: { MEDIA_KILLS: '1000', MEDIA_HISTORIES: '200' },
  },
  'video-upload': {
    about:
      'a video of 50 MB through 20 cuts of its connection and 2 kills -9 of `npm start`: prints the bytes sent by its size (UPLOAD_MEGABYTES, UPLOAD_CUTS, UPLOAD_KILLS, TEST_SEED)',
    folder: 'e2e',
    pattern: 'crash/video-upload',
    env: { UPLOAD_MEGABYTES: '50', UPLOAD_CUTS: '20', UPLOAD_KILLS: '2' },
  },
  races: {
    about:
      'follows, blocks and reviews of users who act at the same time, 20,000 writes (RACE_WRITES, TEST_SEED)',
    folder: 'e2e',
    pattern: 'api/people-races',
    env: { RACE_WRITES: '20000' },
  },
  messages: {
    about:
      'kill -9 of `npm start` while two users exchange 10,000 messages, 20 kills (RACE_MESSAGES, RACE_KILLS, TEST_SEED)',
    folder: 'e2e',
    pattern: 'crash/message-race',
    env: { RACE_MESSAGES: '10000', RACE_KILLS: '20' },
  },
  'messages-cluster': {
    about: 'the same on the cluster profile: kill -9 of messaging, gateways and the document store',
    folder: 'e2e',
    pattern: 'soak/message-race',
    env: { PULSO_TEST_PROFILE: 'soak', RACE_MESSAGES: '10000', RACE_KILLS: '20' },
  },
  'write-mix': {
    about:
      '200 writes a second on the cluster profile, 60 minutes: memory, lag, dead letters (SOAK_MINUTES, SOAK_RATE, TEST_SEED)',
    folder: 'e2e',
    pattern: 'soak/write-mix',
    env: { PULSO_TEST_PROFILE: 'soak', SOAK_MINUTES: '60' },
  },
  erasure: {
    about: 'accounts are erased on the cluster profile while each service and each engine is away in turn',
    folder: 'e2e',
    pattern: 'soak/erasure',
    env: { PULSO_TEST_PROFILE: 'soak' },
  },
  signals: {
    about:
      'every signal to every process of `npm start` and `npm run dev`, each on what the one before has left',
    folder: 'e2e',
    pattern: 'crash/signals',
    env: { SIGNAL_CASES: 'all' },
  },
  'signals-cluster': {
    about: 'the same for `npm run start:cluster`, with engines of its own',
    folder: 'e2e',
    pattern: 'cluster/start-cluster-signals',
    env: { PULSO_TEST_PROFILE: 'soak', PULSO_TEST_NATIVE: '1', SIGNAL_CASES: 'all' },
  },
  'messaging-race': {
    about: 'two users who write to each other at once, 3,000 messages (MESSAGING_RACE_MESSAGES, TEST_SEED)',
    folder: 'services/messaging',
    pattern: 'test/race',
    env: { MESSAGING_RACE_MESSAGES: '3000' },
  },
  'directory-migration': {
    about: 'the directory migration while 20,000 users are read and written (DIRECTORY_MIGRATION_COACHES)',
    folder: 'services/identity',
    pattern: 'directory-migration',
    env: { DIRECTORY_MIGRATION_COACHES: '20000' },
  },
  'people-index': {
    about: 'people search against a plain scan, 5,000 queries (PEOPLE_INDEX_TURNS, TEST_SEED)',
    folder: 'services/identity',
    pattern: 'people-index',
    env: { PEOPLE_INDEX_TURNS: '5000' },
  },
  'stripe-mock': {
    about:
      'each request that the Stripe simulator accepts, sent to a running stripe-mock, too, which must accept it (STRIPE_MOCK_URL)',
    folder: 'deploy/stripe-simulator',
    pattern: '.',
    env: { STRIPE_MOCK_URL: 'http://127.0.0.1:12111' },
  },
  'stripe-twins': {
    about:
      'the same requests to the simulator and to Stripe’s test mode, answered alike (needs STRIPE_TEST_KEY)',
    folder: 'deploy/stripe-simulator',
    pattern: 'test/twins',
    env: {},
    needs: 'STRIPE_TEST_KEY',
  },
  isolated: {
    about: 'the suites of `npm test` with all modules loaded again for each file: sharing them hides nothing',
    suites: PACKAGES.map(suiteOf),
    env: { PULSO_TEST_ISOLATED: '1' },
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
if (soak.needs && !process.env[soak.needs]) fail(`${name} needs the setting ${soak.needs}.`);
await installWhenNeeded();
await buildWhenNeeded();
for (const [setting, value] of Object.entries(soak.env)) process.env[setting] ??= value;
// A soak's tests last longer than any test of CI may.
process.env.PULSO_TEST_LIMIT_MS = `${LIMIT_MS}`;
process.env.PULSO_PREBUILT = '1';
const report = new Report();
const signal = abortOnSignal();
const log = newLog(`soak ${name}`);
console.log(`Its output is in ${log}`);
await inRunFolder(signal, async () => {
  const suites = soak.suites ?? [{ folder: soak.folder, patterns: [soak.pattern] }];
  for (const suite of suites) {
    const failed = await runSuite({ ...suite, limitMs: LIMIT_MS, log, signal }, report);
    // What fails in a soak is not repeated: its seed says how.
    for (const { path, failures } of failed) for (const failure of failures) report.fail(path, failure);
  }
});
endWith(report);
