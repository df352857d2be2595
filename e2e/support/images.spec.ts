import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { WORKERS } from '@pulso/registry/workers';
import { FILES_USED } from '../../tools/bundling/outside.mjs';
import { programsOf } from '../../tools/bundling/programs.mjs';
import {
  imageStages,
  inputsOfImage,
  programsOfImage,
  sourcesOfImage,
  stagesOfImages,
} from '../../tools/kubernetes/dockerfile.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
const stages = stagesOfImages();
/** Of Jobs: one file each, made of sources alone. */
const JOBS = ['demo', 'journeys'];
const all = imageStages(stages).map(({ name }) => name);
const names = all.filter((name) => !JOBS.includes(name));
const programsIn = (folder: string) => Object.keys(programsOf(join(root, folder)));
/** What the stages read besides what they copy: the manifests, and the Dockerfile itself. */
const MANIFESTS = ['.npmrc', 'package.json', 'package-lock.json'];
const OWN = ['deploy/docker/Dockerfile', 'deploy/docker/Dockerfile.dockerignore'];

describe('the images of deploy/docker', () => {
  it('are one of each service and worker, of the gateway, of the commands for topics and backups, of the simulator, and of Jobs', () => {
    const processes = [
      ...SERVICE_NAMES,
      ...Object.keys(WORKERS),
      'gateway',
      'topics',
      'backup',
      'stripe-simulator',
      ...JOBS,
    ];
    expect(all.toSorted()).toEqual(processes.toSorted());
  });

  it('have each program of each package that is bundled for a process, once', () => {
    const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
    const folders = [...services, 'gateway', 'deploy/stripe-simulator'];
    const programs = folders.flatMap((folder) => programsIn(folder).map((name) => `${folder} ${name}`));
    const collected = stages.flatMap((stage) =>
      stage.collected.flatMap(({ folder, programs: own }) => own.map((name) => `${folder} ${name}`)),
    );
    expect(collected.toSorted()).toEqual(programs.toSorted());
  });

  it.each(names)('%s runs a program that it has, and copies what is put apart for it', (name) => {
    const { command, copied } = stages.find((stage) => stage.name === name)!;
    expect(programsOfImage(stages, name)).toContain(command?.[0]);
    const built = stages.find(({ collected }) =>
      collected.some(({ target }) => target === `/images/${name}`),
    );
    const own = copied.filter(({ from }) => from === built?.name).flatMap(({ paths }) => paths);
    expect(own).toEqual([`/images/${name}/packages`, `/images/${name}/programs`]);
    const others = copied.filter(({ from }) => from !== built?.name).flatMap(({ paths }) => paths);
    expect(others).toEqual(name === 'gateway' ? ['/pulso/frontend/dist'] : []);
  });

  it.each(JOBS)('%s runs the one program that is bundled for it', (name) => {
    const { command, copied } = stages.find((stage) => stage.name === name)!;
    expect([command, copied]).toEqual([
      [`${name}.mjs`],
      [{ from: `${name}-built`, paths: [`/images/${name}`] }],
    ]);
    expect(existsSync(join(root, `e2e/jobs/${name}.ts`))).toBe(true);
  });

  it('are made of stages that stand before', () => {
    const unknown = stages.flatMap(({ name, from, copied }, place) => {
      const before = new Set(stages.slice(0, place).map((stage) => stage.name));
      const asked = [from, ...copied.flatMap((copy) => copy.from ?? [])];
      return asked.filter((other) => other !== '${BASE}' && !before.has(other)).map((other) => [name, other]);
    });
    expect(unknown).toEqual([]);
  });

  it.each(all)('%s is built anew when one of its sources changes, and no other', (name) => {
    const { paths, files } = inputsOfImage(name);
    const sources = sourcesOfImage(stages, name);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    const isIn = (path: string, folder: string) => path === folder || `${path}/`.startsWith(`${folder}/`);
    const known = paths.filter((path) => !MANIFESTS.includes(path) && !OWN.includes(path));
    expect(sources.filter((source) => !known.some((path) => isIn(source, path)))).toEqual([]);
    const covers = (path: string) => sources.some((source) => isIn(path, source) || isIn(source, path));
    expect(known.filter((path) => !covers(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining([...MANIFESTS, ...OWN]));
    expect(files.filter((file) => !statSync(join(root, file)).isFile())).toEqual([]);
    const tests = files.filter((file) => /\.spec\.tsx?$|\/test\//.test(file));
    expect(tests).toEqual(name === 'journeys' ? ['gateway/test/support/event-reader.ts'] : []);
  });

  it('have the files of Swagger UI that the gateway sends', () => {
    const page = readFileSync(join(root, 'gateway/src/openapi/docs-page.ts'), 'utf8');
    const list = /^const FILES = \[(.*)\];$/m.exec(page)?.[1] ?? '';
    const sent = [...list.matchAll(/'\/([^']+)'/g)].map(([, file]) => file!);
    expect(sent.length).toBeGreaterThan(1);
    expect(FILES_USED['swagger-ui-dist']).toEqual(expect.arrayContaining(sent));
  });
});
