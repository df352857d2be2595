import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineSuites, ON_DOCUMENTS, ON_ENGINES, RUN_ONCE } from '../../tools/suites/engine-suites.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** The suites that use an engine, by their names. */
const NAMED = /\.(int|kafka|redis|s3)\.spec\.ts$/;
const ADDRESS = /PULSO_TEST_(KAFKA|REDIS|POSTGRES|MONGODB|S3)_/;
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

/** What a run takes. Like Jest, which matches the whole path of a suite, and that from its package's folder. */
const takenBy = (native: boolean) =>
  engineSuites({ native }).flatMap(({ folder, patterns }) => {
    const expressions = patterns!.map((pattern) => new RegExp(pattern, 'i'));
    const takes = (path: string) => expressions.some((expression) => expression.test(path));
    return specsBelow(join(root, folder))
      .filter((file) => takes(file) || takes(relative(join(root, folder), file)))
      .map((file) => relative(root, file));
  });
const named = () =>
  ON_ENGINES.flatMap((folder) => specsBelow(join(root, folder)))
    .filter((file) => NAMED.test(file))
    .map((file) => relative(root, file));

it('run on real engines unless they are listed, and the list names suites that exist', () => {
  const once = Object.entries(RUN_ONCE).flatMap(([folder, names]) =>
    names.map((name) => `${folder}/test/${name}.int.spec.ts`),
  );
  expect(once.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(takenBy(false).toSorted()).toEqual(
    named()
      .filter((file) => !once.includes(file))
      .toSorted(),
  );
});

it('leave out what only uses the document store where that is the one of npm test', () => {
  const taken = takenBy(true);
  const left = takenBy(false).filter((file) => !taken.includes(file));
  const isOnDocuments = (file: string) =>
    ON_DOCUMENTS.packages.some((folder) => file.startsWith(`${folder}/`)) ||
    ON_DOCUMENTS.folders.some((folder) => file.includes(`/test/${folder}/`));
  expect(left.length).toBeGreaterThan(20);
  expect(left.filter((file) => !isOnDocuments(file))).toEqual([]);
  expect(taken.filter(isOnDocuments)).toEqual([]);
});
