import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CheckedFolder } from './checked-folder.js';

let folder: CheckedFolder;
beforeEach(() => {
  folder = new CheckedFolder('floor-plan.mjs');
  write('package.json');
  write('test/start.ts');
  for (const name of [
    'service',
    'settings',
    'gym.module',
    'main',
    'mail-worker',
    'mail-worker-main',
    'settings.spec',
  ]) {
    write(`src/${name}.ts`);
  }
  write('src/cli/main.ts');
  write('src/migrations/create-gym.migration.ts');
  write('src/store/programme.entity.ts');
  write('src/store/programme.repository.ts', "import { Programme } from './programme.entity.js';\n");
  write('src/store/programme.spec.ts', "import { AddProgramme } from '../programme/add-programme.js';\n");
  write('src/projections/known-users.ts', 'export class KnownUsers extends UserProjection {}\n');
  write('src/projections/price.schema.ts');
  write('src/programme/add-programme.ts', "import { Programme } from '../store/programme.entity.js';\n");
});
afterEach(() => folder.remove());

function write(path: string, text = '', service = 'gym'): void {
  folder.write(`services/${service}/${path}`, text);
}

function check(): { status: number | null; faults: string[]; sum: string } {
  const { status, failures, sum } = folder.check();
  return { status, faults: failures.filter((line) => line.startsWith('services/')), sum };
}

describe('the check of the floor plan', () => {
  it('passes a service that follows it', () => {
    expect(check()).toEqual({ status: 0, faults: [], sum: '1 services on one floor plan, 0 faults' });
  });

  it.each([
    ['a row beside a use case', 'src/programme/step.entity.ts', '', 'belongs into store/'],
    ['a schema beside a use case', 'src/programme/step.schema.ts', '', 'belongs into store/'],
    [
      'a row under another name',
      'src/programme/step.ts',
      "@Entity('steps')\nexport class Step {}\n",
      'belongs into store/',
    ],
    [
      'a collection under another name',
      'src/programme/steps.ts',
      'export class Steps extends ownedCollection<Step>({}) {}\n',
      'belongs into store/',
    ],
    ['queries beside a use case', 'src/programme/step.repository.ts', '', 'belongs into store/'],
    ['a copy beside a use case', 'src/programme/known-users.ts', '', 'belongs into projections/'],
    [
      'a projection under another name',
      'src/programme/people.ts',
      'export class People\n  extends ProjectionTable<UserState> {}\n',
      'extends ProjectionTable: projections belong into projections/',
    ],
    [
      'a projection beside the rows that the service owns',
      'src/store/people.ts',
      'export class People extends ProjectedRows<UserState, Row> {}\n',
      'extends ProjectedRows',
    ],
    ['a class that passes rpcs on', 'src/programme/programme.grpc.ts', '', "'handlers' in service.ts"],
    ['a controller', 'src/programme/programme.controller.ts', '', "'handlers' in service.ts"],
    ['a folder of a noun', 'src/programme/steps/add-step.ts', '', 'is in a folder of a folder'],
    ['a use case outside of all folders', 'src/add-programme.ts', '', 'belongs into a folder'],
    ["another service's module", 'src/other.module.ts', '', 'belongs into a folder'],
    [
      'a store that calls a use case',
      'src/store/step.ts',
      "import type { AddProgramme } from '../programme/add-programme.js';\n",
      'imports ../programme/add-programme.js',
    ],
    [
      'a store that reads a projection',
      'src/store/inner/step.ts',
      "const { KnownUsers } = await import('../../projections/known-users.js');\n",
      'imports ../../projections/known-users.js',
    ],
  ])('refuses %s', (_, path, text, fault) => {
    write(path, text);
    const { status, faults } = check();
    expect(status).toBe(1);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults[0]).toContain(`services/gym/${path} `);
  });

  it('refuses a folder that is named by an activity', () => {
    write('src/commenting/add-comment.ts');
    expect(check().faults).toEqual([
      expect.stringContaining('services/gym/src/commenting/ needs the name of a thing'),
    ]);
  });

  it('refuses a service without a start for its suites', () => {
    const test = join(folder.path, 'services/gym/test');
    renameSync(join(test, 'start.ts'), join(test, 'gym-harness.ts'));
    expect(check().faults).toEqual([expect.stringContaining('services/gym/test/start.ts is missing')]);
  });

  it('checks a service that is new, and neither the platform nor the list of services', () => {
    for (const service of ['platform', 'registry', 'shop']) {
      write('package.json', '', service);
      write('src/order.entity.ts', '', service);
    }
    expect(check().faults).toEqual([
      expect.stringContaining('services/shop/src/order.entity.ts'),
      expect.stringContaining('services/shop/test/start.ts'),
    ]);
  });
});
