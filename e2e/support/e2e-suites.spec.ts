import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLUSTER_SUITES, CRASH_SUITES, FAULT_SUITES } from '../../tools/suites/e2e-suites.mjs';

const e2e = join(fileURLToPath(import.meta.url), '../..');

it.each([
  ['crash', CRASH_SUITES, ['crash']],
  ['cluster', [...CLUSTER_SUITES, ...FAULT_SUITES], ['api', 'cluster', 'faults']],
] as const)('each file of the profile %s is in one suite', (_profile, suites, folders) => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(e2e, folder))
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const suitesOf = (file: string) =>
    suites.filter(({ patterns }) => patterns!.some((pattern) => new RegExp(pattern).test(file)));
  expect(files.length).toBeGreaterThan(7);
  expect(files.filter((file) => suitesOf(file).length !== 1)).toEqual([]);
});
