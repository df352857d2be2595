import { manySuites, nodePreset } from '../jest.preset.mjs';

export default {
  ...nodePreset,
  ...manySuites,
};
