import { readFileSync } from 'node:fs';

const { $schema, ...swc } = JSON.parse(readFileSync(new URL('./swc.build.json', import.meta.url), 'utf8'));

/**
 * What every Node package's jest.config.mjs spreads: TypeScript by swc as ES modules, workspace packages read from
 * their sources (export condition `source`), `.js` suffixes resolved to the `.ts` beside them.
 */
export const nodePreset = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  /** Ends what hangs; the slowest tests take a third of it on a quiet machine. `npm run soak` sets a longer one. */
  testTimeout: Number(process.env.PULSO_TEST_LIMIT_MS ?? 300_000),
};

/**
 * For a package of many suites. Modules of ended ones stay in memory, and collecting garbage takes ever longer: a new process is
 * quicker.
 */
export const manySuites = { workerIdleMemoryLimit: '600MB' };
