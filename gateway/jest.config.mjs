import { nodePreset } from '../jest.preset.mjs';

export default {
  ...nodePreset,
  // Modules of ended suites stay in memory, and collecting garbage takes ever longer: a new process is quicker.
  workerIdleMemoryLimit: '600MB',
};
