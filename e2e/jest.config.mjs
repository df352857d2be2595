import { nodePreset } from '../jest.preset.mjs';

/**
 * The journeys run in both profiles; processes and faults are tests of the cluster, crashes those of the single
 * process tree of `npm start`, and need no other engines. The folder `soak` has those that `npm run soak` alone runs.
 * `npm run kubernetes` runs the journeys that share one Pulso on the one of a cluster, which has its engines.
 */
const FOLDERS = {
  cluster: ['api', 'cluster', 'faults'],
  crash: ['crash'],
  soak: ['soak', 'cluster'],
  kubernetes: ['api'],
};
const profile = process.env.PULSO_TEST_PROFILE;
const folders = FOLDERS[profile] ?? ['api', 'crash', 'support'];
const engines = {
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};

export default {
  ...nodePreset,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  ...(profile !== 'crash' && profile !== 'kubernetes' && engines),
};
