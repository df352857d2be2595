import { nodePreset } from '../jest.preset.mjs';

export default {
  ...nodePreset,
  testMatch: ['<rootDir>/{api,crash,support}/**/*.spec.ts'],
  globalSetup: '../tools/jest-engines.mjs',
  globalTeardown: '../tools/jest-engines-stop.mjs',
};
