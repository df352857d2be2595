import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ON_ENGINES } from '../../tools/suites.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** The suites that `npm run test:engines` runs, by their names. */
const NAMED = /\.(int|kafka|redis)\.spec\.ts$/;
const ADDRESS = /PULSO_TEST_(KAFKA|REDIS|POSTGRES|MONGODB)_/;
/** Fixtures are searched for addresses, the code of the product is not: it gets them handed. */
const FIXTURE = /\/(test|testing)\//;

function specsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : specsBelow(path);
    return entry.name.endsWith('.spec.ts') ? [path] : [];
  });
}

function fixturesOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name!);
  return names
    .flatMap((name) => {
      if (name.startsWith('.')) return [resolve(dirname(file), name.replace(/\.js$/, '.ts'))];
      const [, kit] = /^@pulso\/platform\/testing\/(.+)$/.exec(name) ?? [];
      return kit ? [join(root, 'services/platform/testing', `${kit}.ts`)] : [];
    })
    .filter((path) => FIXTURE.test(path) && existsSync(path));
}

function usesAnEngine(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  return ADDRESS.test(text) || fixturesOf(file, text).some((fixture) => usesAnEngine(fixture, seen));
}

it('suites that use an engine say so in their names, and so run on real engines', () => {
  const specs = ON_ENGINES.flatMap((folder) => specsBelow(join(root, folder)));
  const using = specs.filter((file) => usesAnEngine(file));
  expect(using.length).toBeGreaterThan(40);
  expect(using.filter((file) => !NAMED.test(file)).map((file) => relative(root, file))).toEqual([]);
});
