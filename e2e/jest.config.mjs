import { nodePreset } from '../jest.preset.mjs';

/** The journeys are for both profiles; processes and faults are the cluster's, crashes those of `npm start`'s one tree. */
const folders = process.env.PULSO_TEST_PROFILE === 'cluster' ? 'api,cluster,faults' : 'api,crash,support';

export default {
  ...nodePreset,
  testMatch: [`<rootDir>/{${folders}}/**/*.spec.ts`],
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};
