import { nodePreset } from '../jest.preset.mjs';

/**
 * The journeys run in both profiles; processes and faults are tests of the cluster, crashes those of the single
 * process tree of `npm start`. The folder `soak` has those that `npm run soak` alone runs.
 */
const FOLDERS = { cluster: 'api,cluster,faults', soak: 'soak,cluster' };
const folders = FOLDERS[process.env.PULSO_TEST_PROFILE] ?? 'api,crash,support';

export default {
  ...nodePreset,
  testMatch: [`<rootDir>/{${folders}}/**/*.spec.ts`],
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};
