import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { $schema, ...swc } = JSON.parse(readFileSync(new URL('./swc.build.json', import.meta.url), 'utf8'));
const sharedModules = (name) => fileURLToPath(new URL(`./tools/shared-modules/${name}.mjs`, import.meta.url));

/**
 * What every Node package's jest.config.mjs spreads: TypeScript by swc as ES modules, workspace packages read from
 * their sources (export condition `source`), `.js` suffixes resolved to the `.ts` beside them.
 * Modules stay between the files of a process (`tools/shared-modules`).
 */
export const nodePreset = {
  testEnvironment: sharedModules('node-environment'),
  runtime: sharedModules('runtime'),
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
