import { nodePreset } from '../../jest.preset.mjs';

export default {
  ...nodePreset,
  globalSetup: '../../tools/jest-engines.mjs',
  globalTeardown: '../../tools/jest-engines-stop.mjs',
};
