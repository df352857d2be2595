import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildWhenNeeded, fail, installWhenNeeded, requireNode, root } from './prepare.mjs';

/** Long runs, each a suite of e2e with a longer setting. @type {Record<string, { about: string, suite: string, env: Record<string, string> }>} */
const SOAKS = {
  'write-mix': {
    about:
      '200 writes a second on the cluster profile, 60 minutes: memory, lag, dead letters (SOAK_MINUTES, SOAK_RATE)',
    suite: 'soak/write-mix',
    env: { SOAK_MINUTES: '60' },
  },
  kills: {
    about: 'kill -9 of `npm start` during writes, 100 rounds, a new seed each run (CRASH_ROUNDS, CRASH_SEED)',
    suite: 'crash/kill-nine',
    env: { CRASH_ROUNDS: '100' },
  },
  signals: {
    about:
      'every signal to every process of `npm start` and `npm run dev`, each on what the one before has left',
    suite: 'crash/signals',
    env: { SIGNAL_CASES: 'all' },
  },
  'signals-cluster': {
    about: 'the same for `npm run start:cluster`, with engines of its own',
    suite: 'cluster/start-cluster-signals',
    env: { SIGNAL_CASES: 'all', PULSO_TEST_NATIVE: '1' },
  },
  follows: {
    about:
      '5,000 follows and unfollows of five users on two devices each at the same time (RACE_FOLLOWS, RACE_SEED)',
    suite: 'api/people-races',
    env: { RACE_FOLLOWS: '5000' },
  },
  messages: {
    about:
      'kill -9 of `npm start` while two users exchange 10,000 messages, 20 kills (RACE_MESSAGES, RACE_KILLS, RACE_SEED)',
    suite: 'crash/message-race',
    env: { RACE_MESSAGES: '10000', RACE_KILLS: '20' },
  },
  'messages-cluster': {
    about: 'the same on the cluster profile: kill -9 of messaging, gateways and the document store',
    suite: 'soak/message-race',
    env: {},
  },
};

/** `npm run soak -- <name>`: ends with code 1 when the run fails; without a name it lists the soaks. */
requireNode();
const [name = ''] = process.argv.slice(2);
const soak = Object.hasOwn(SOAKS, name) ? SOAKS[name] : undefined;
if (!soak) {
  for (const [known, { about }] of Object.entries(SOAKS)) console.log(`${known.padEnd(17)}  ${about}`);
  if (name) fail(`Unknown soak: ${name}`);
  process.exit(0);
}
await installWhenNeeded();
await buildWhenNeeded();
const jest = join(root, 'node_modules/jest/bin/jest.js');
const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest];
const { status } = spawnSync(process.execPath, [...node, soak.suite], {
  cwd: join(root, 'e2e'),
  stdio: 'inherit',
  env: { ...soak.env, ...process.env, PULSO_TEST_PROFILE: 'soak', PULSO_PREBUILT: '1' },
});
process.exit(status ?? 1);
