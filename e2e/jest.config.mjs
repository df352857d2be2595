import { nodePreset } from '../jest.preset.mjs';

/**
 * The journeys run in both profiles; processes and faults are tests of the cluster, crashes those of the single
 * process tree of `npm start`.
 */
const folders = process.env.PULSO_TEST_PROFILE === 'cluster' ? 'api,cluster,faults' : 'api,crash,support';

export default {
  ...nodePreset,
  testMatch: [`<rootDir>/{${folders}}/**/*.spec.ts`],
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};
