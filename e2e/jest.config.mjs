import { nodePreset } from '../jest.preset.mjs';

/** Faults are of the cluster's processes and engines, crashes of the one process tree that `npm start` makes. */
const folders = process.env.PULSO_TEST_PROFILE === 'cluster' ? 'api,faults' : 'api,crash,support';

export default {
  ...nodePreset,
  testMatch: [`<rootDir>/{${folders}}/**/*.spec.ts`],
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};
