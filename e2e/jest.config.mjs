import { nodePreset } from '../jest.preset.mjs';

/**
 * The journeys run in both profiles; processes and faults are tests of the cluster, crashes those of the single
 * process tree of `npm start`. `npm run soak` runs the long ones.
 */
const FOLDERS = { cluster: 'api,cluster,faults', soak: 'soak,api,crash,cluster,support' };
const folders = FOLDERS[process.env.PULSO_TEST_PROFILE] ?? 'api,crash,support';

export default {
  ...nodePreset,
  testMatch: [`<rootDir>/{${folders}}/**/*.spec.ts`],
  // Journeys start whole clusters and commands, each a process; it ends what hangs, also on a busy machine.
  testTimeout: 300_000,
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};
