import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { collect } from '../../tools/bundling/collect.mjs';

type Manifest = Record<string, unknown>;

/** A repository with a service whose programs are bundled, and packages of OUTSIDE. */
function aRepository(packages: Record<string, Manifest>) {
  const root = mkdtempSync(join(tmpdir(), 'pulso-collect-'));
  onTestEnd(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('services/films/package.json', '{ "type": "module" }');
  const script = (name: string, text: string) => {
    write(`services/films/bundle/${name}.js`, text);
    write(`services/films/bundle/${name}.js.map`, '{}');
  };
  script(
    'main',
    'import { a } from "./chunks/shared.js";\nimport "node:fs";\nconst late = import("./chunks/late.js");\n',
  );
  script('cli/main', 'import "../chunks/shared.js";\n');
  script('chunks/shared', 'import sharp from "sharp";\n');
  script('chunks/late', 'const native = __require("lmdb");\n__require("snappy");\n');
  script('chunks/of-another', 'import "@node-rs/argon2";\n');
  for (const [path, manifest] of Object.entries(packages)) {
    write(`${path}/package.json`, JSON.stringify(manifest));
    write(`${path}/index.js`, '');
  }
  const target = join(root, 'image');
  return {
    root,
    target,
    collect: (...programs: string[]) => collect({ root, target, folder: 'services/films', programs }),
  };
}

const PACKAGES = {
  'node_modules/sharp': {
    dependencies: { semver: '7' },
    optionalDependencies: { '@img/here': '1', '@img/elsewhere': '1' },
    peerDependencies: { '@types/node': '*' },
    peerDependenciesMeta: { '@types/node': { optional: true } },
  },
  'node_modules/semver': {},
  'node_modules/sharp/node_modules/semver': { dependencies: { lru: '1' } },
  'node_modules/lru': {},
  'node_modules/@img/here': {},
  'node_modules/@types/other': {},
  'node_modules/lmdb': {},
  'services/films/node_modules/lmdb': {},
  'node_modules/@node-rs/argon2': {},
};

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

describe('what an image gets of a bundled package', () => {
  it('is its programs with the chunks that they load, early or late, and their maps', () => {
    const { collect: collected, target } = aRepository(PACKAGES);
    collected('main');
    expect(filesIn(join(target, 'programs/services/films'))).toEqual(
      ['chunks/late', 'chunks/shared', 'main']
        .flatMap((name) => [`bundle/${name}.js`, `bundle/${name}.js.map`])
        .concat('package.json'),
    );
  });

  it('is the packages outside that they ask for, where Node finds them, with all that these depend on', () => {
    const { collect: collected, target } = aRepository(PACKAGES);
    const { packages } = collected('main', 'cli/main');
    expect(packages.toSorted()).toEqual([
      'node_modules/@img/here',
      'node_modules/lru',
      'node_modules/sharp',
      'node_modules/sharp/node_modules/semver',
      'services/films/node_modules/lmdb',
    ]);
    expect(filesIn(join(target, 'packages'))).toEqual(
      packages.flatMap((path) => [`${path}/index.js`, `${path}/package.json`]).toSorted(),
    );
  });

  it('is no package for a program that asks for none', () => {
    const { root, target, collect: collected } = aRepository(PACKAGES);
    writeFileSync(join(root, 'services/films/bundle/bare.js'), 'import "node:fs";\n');
    expect(collected('bare')).toEqual({ scripts: ['services/films/bundle/bare.js'], packages: [] });
    expect(existsSync(join(target, 'packages'))).toBe(true);
  });

  it.each([
    ['node_modules/sharp', 'sharp is not installed'],
    ['node_modules/lru', 'lru is not installed'],
  ])('is refused without %s', (path, error) => {
    const { [path]: _, ...others } = PACKAGES as Record<string, Manifest>;
    const { collect: collected } = aRepository(
      path === 'node_modules/sharp'
        ? Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith(path)))
        : others,
    );
    expect(() => collected('main')).toThrow(error);
  });

  it('is refused for a program that is not there', () => {
    expect(() => aRepository(PACKAGES).collect('worker-main')).toThrow('worker-main.js');
  });
});
