import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { createCompiler } from '../../tools/dev/compiler.mjs';
import { ServicesProcess } from '../../tools/dev/services-process.mjs';
import { watchSources } from '../../tools/dev/watch-sources.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');

describe('the parts of npm run dev', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pulso-dev-'));
    mkdirSync(join(folder, 'src'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const place = () => ({ source: join(folder, 'src'), dist: join(folder, 'dist') });

  it('compiles a file as the build does', async () => {
    const { update } = createCompiler(join(root, 'swc.build.json'));
    const packageFolder = join(root, 'services/platform');
    const file = join(packageFolder, 'src/errors/domain-error.ts');
    const built = join(packageFolder, 'dist/errors/domain-error.js');
    const before = readFileSync(built, 'utf8');
    const folders = { source: join(packageFolder, 'src'), dist: join(packageFolder, 'dist') };
    expect(await update(file, folders)).toBe(false);
    expect(readFileSync(built, 'utf8')).toBe(before);
  });

  it('keeps the output of a file that does not compile, and removes that of a deleted one', async () => {
    const { update, errors } = createCompiler(join(root, 'swc.build.json'));
    const file = join(folder, 'src/a.ts');
    const output = () => readFileSync(join(folder, 'dist/a.js'), 'utf8');
    writeFileSync(file, 'export const a: number = 1;');
    expect(await update(file, place())).toBe(true);
    writeFileSync(file, 'export const a = (;');
    expect(await update(file, place())).toBe(false);
    expect([...errors.keys()]).toEqual([file]);
    expect(output()).toContain('const a = 1');
    writeFileSync(file, 'export const a = 2;');
    expect(await update(file, place())).toBe(true);
    expect(errors.size).toBe(0);
    rmSync(file);
    expect(await update(file, place())).toBe(true);
    expect(output).toThrow(/ENOENT/);
  });

  it('reports changed, new and deleted files, but no test files', async () => {
    const changed = join(folder, 'src/changed.ts');
    const deleted = join(folder, 'src/deleted.ts');
    for (const file of [changed, deleted]) writeFileSync(file, '');
    const seen = new Set<string>();
    const added = join(folder, 'src/new-folder/added.ts');
    const close = await watchSources([join(folder, 'src')], async (files: string[]) => {
      for (const file of files) seen.add(file);
    });
    onTestEnd(close);
    mkdirSync(join(folder, 'src/new-folder'));
    writeFileSync(join(folder, 'src/a.spec.ts'), '');
    writeFileSync(added, '');
    writeFileSync(changed, 'export {};');
    rmSync(deleted);
    const wanted = [added, changed, deleted];
    await until(() => wanted.every((file) => seen.has(file)), {
      what: () => `${wanted.join(', ')}; reported were ${[...seen].join(', ')}`,
    });
    expect([...seen].sort()).toEqual(wanted.sort());
  });

  it('replaces services that are still starting, too, and reports those that end by themselves', async () => {
    const script = join(folder, 'services.mjs');
    const lines: string[] = [];
    const services = new ServicesProcess({
      script,
      execArgv: [],
      env: process.env,
      startMessage: {},
      log: (line: string) => lines.push(line),
    });
    onTestEnd(() => services.stop());
    const waiting = "process.on('disconnect', () => process.exit());";
    writeFileSync(script, waiting);
    const first = services.restart();
    writeFileSync(script, `${waiting} process.once('message', () => process.send('ready'));`);
    const second = services.restart();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(lines).toEqual([]);
    writeFileSync(script, "throw new Error('does not start');");
    expect(await services.restart()).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/exit code 1.*next change/)]);
  });
});
