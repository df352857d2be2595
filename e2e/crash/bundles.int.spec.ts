import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SERVICE_NAMES } from '@pulso/contracts/rpc';
import { createDatabases, databasesOn } from '@pulso/embedded/databases';
import type { EngineUrls } from '@pulso/embedded/launcher/engines';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { databaseUrlSetting, readStoreTarget } from '@pulso/platform/service/service-settings';
import { SERVICES } from '@pulso/registry/services';
import { WORKERS } from '@pulso/registry/workers';
import pg from 'pg';
import { askedFor } from '../../tools/bundling/asked-for.mjs';
import { OUTSIDE, UNUSED } from '../../tools/bundling/outside.mjs';
import { programsOf } from '../../tools/bundling/programs.mjs';
import { startPulsoProcess } from '../support/pulso-process.js';
import { runProgram } from '../support/run-process.js';
import { anEmptyDirectory } from '../support/template-directory.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
const packages = [...services, 'gateway', 'deploy/embedded'].filter(
  (folder) => Object.keys(programsOf(join(root, folder))).length > 0,
);
const programs = packages.flatMap((folder) =>
  Object.keys(programsOf(join(root, folder))).map((name) => ({
    folder,
    program: `${folder}/bundle/${name}.js`,
  })),
);

/** What the packages outside load themselves; a copy of it in the bundle is another one. */
const OF_PACKAGES_OUTSIDE = new Set([
  'detect-libc',
  'msgpackr',
  'ordered-binary',
  'semver',
  'weak-lru-cache',
]);

describe('the bundles', () => {
  it('are those of every service, worker and command line, of the gateway and of npm start', () => {
    const expected = [
      ...SERVICE_NAMES.flatMap((name) =>
        ['main', 'cli/main'].map((file) => `services/${name}/bundle/${file}.js`),
      ),
      ...Object.values(WORKERS).map(
        ({ service, name }) =>
          `services/${service.name}/bundle/${name.slice(service.name.length + 1)}-worker-main.js`,
      ),
      'services/media/bundle/picture-main.js',
      ...['backup', 'topics'].map((name) => `services/registry/bundle/cli/${name}.js`),
      'gateway/bundle/main.js',
      ...['launcher/main', 'launcher/operate', 'launcher/cluster', 'document-store/main', 'picture-main'].map(
        (file) => `deploy/embedded/bundle/${file}.js`,
      ),
    ];
    expect(programs.map(({ program }) => program).toSorted()).toEqual(expected.toSorted());
  });

  it.each(programs)('$program runs no code of the workspace but its own', async ({ folder, program }) => {
    const coverage = aFolder('coverage');
    // All of its modules run before it is refused for want of settings.
    await runProgram(program, [], { NODE_V8_COVERAGE: coverage });
    const urls = scriptsIn(coverage);
    expect(urls).toContain(urlOf(program));
    const others = urls.filter(
      (url) => url.startsWith('file:') && !url.startsWith(urlOf(`${folder}/bundle/`)),
    );
    expect(others.filter((url) => !url.includes('/node_modules/'))).toEqual([]);
    expect(copiesOf(folder, urls)).toEqual([]);
  });

  it('have the calls that are there to throw', () => {
    const script = readFileSync(join(root, 'gateway/bundle/main.js'), 'utf8');
    expect(script).toMatch(
      /function isDecodable\(url\) \{\s+try \{\s+globalThis\.decodeURIComponent\(url\);/,
    );
  });

  it('leave outside what is named with a reason, and nothing else', () => {
    const scripts = packages.flatMap(scriptsOf).map((script) => readFileSync(script, 'utf8'));
    const asked = new Set(scripts.flatMap((code) => askedFor(code).packages));
    expect([...asked].toSorted()).toEqual(Object.keys({ ...OUTSIDE, ...UNUSED }).toSorted());
  });

  it('lead from a stack trace to the lines of TypeScript', async () => {
    const script = join(aFolder('trace'), 'fails.mjs');
    const launcher = urlOf('deploy/embedded/bundle/launcher/main.js');
    writeFileSync(script, `import { welcome } from ${JSON.stringify(launcher)}; welcome(undefined, {});`);
    const { code, stderr } = await runProgram(relative(root, script), [], {
      NODE_OPTIONS: '--enable-source-maps',
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('TypeError') as string });
    const source = 'deploy/embedded/src/launcher/main.ts';
    const line = new RegExp(`^ +at welcome \\(.*/${source}:(\\d+):\\d+\\)$`, 'm').exec(stderr)?.[1];
    expect({ line, stderr }).toEqual({ line: expect.anything() as string, stderr });
    const lines = readFileSync(join(root, source), 'utf8').split('\n');
    expect(lines[Number(line) - 1]).toMatch(/^export function welcome\(/);
  });

  it('give migrations the names and the order that databases know, and load no package twice while they serve', async () => {
    const dataDirectory = anEmptyDirectory('migrations');
    onTestEnd(() => rmSync(dataDirectory, { recursive: true, force: true }));
    const coverage = aFolder('coverage');
    const pulso = await startPulsoProcess({ dataDirectory, env: { NODE_V8_COVERAGE: coverage } });
    onTestEnd(() => pulso.killTree());
    const running = JSON.parse(readFileSync(join(dataDirectory, 'engines.json'), 'utf8')) as EngineUrls;
    const engines = { postgresUrl: running.postgres, mongodbUrl: running.documents };
    const [bundled, sources] = ['pulso', 'sources'].map((prefix) => databasesOn(engines, prefix));
    await createDatabases(running.postgres, sources!);
    const onPostgres = SERVICE_NAMES.filter((name) => SERVICES[name].store.kind === 'postgres');
    expect(onPostgres).not.toEqual([]);
    for (const name of onPostgres) {
      const target = readStoreTarget(SERVICES[name], { [databaseUrlSetting(name)]: sources![name] });
      await SERVICES[name].store.migrate(target, { finish: true });
      expect({ name, migrations: await migrationsIn(bundled![name]) }).toEqual({
        name,
        migrations: await migrationsIn(sources![name]),
      });
    }
    expect(await pulso.stop()).toBe(0);
    const urls = scriptsIn(coverage);
    expect(urls).toContain(urlOf('deploy/embedded/bundle/launcher/main.js'));
    expect(copiesOf('deploy/embedded', urls)).toEqual([]);
  });
});

const urlOf = (path: string) => pathToFileURL(join(root, path)).href;

function aFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pulso-${name}-`));
  onTestEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The URLs of all scripts that a process has run, by what V8 has noted of them. */
function scriptsIn(coverage: string): string[] {
  return readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result.map(({ url }) => url);
  });
}

/** The bundled scripts of a package. */
function scriptsOf(folder: string): string[] {
  const bundle = join(root, folder, 'bundle');
  return (readdirSync(bundle, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(bundle, file));
}

/** The innermost package of a file in node_modules. */
const packageOf = (file: string) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? '';

/** The packages whose code is in the bundles of a package. */
function packagesIn(folder: string): string[] {
  // The bundler's own helpers have no map.
  const maps = scriptsOf(folder)
    .map((script) => `${script}.map`)
    .filter((map) => existsSync(map));
  const files = maps.flatMap(
    (map) => (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources,
  );
  return [...new Set(files.map(packageOf))];
}

/** The packages of which a program has run a copy beside that in its bundle. */
function copiesOf(folder: string, urls: string[]): string[] {
  const loaded = new Set(urls.filter((url) => url.includes('/node_modules/')).map(packageOf));
  return packagesIn(folder).filter((name) => loaded.has(name) && !OF_PACKAGES_OUTSIDE.has(name));
}

async function migrationsIn(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
