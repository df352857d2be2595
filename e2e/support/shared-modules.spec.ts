import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodePreset } from '../../jest.preset.mjs';
import { complaintAbout } from '../../tools/shared-modules/private-parts.mjs';
import {
  allButTestsStay,
  packagesStay,
  sharesModules,
  wantsNewModules,
} from '../../tools/shared-modules/what-stays.mjs';

const ROOT = join(import.meta.dirname, '../..');
const FIXTURES = join(import.meta.dirname, 'shared-modules');

describe('modules that stay between files of tests', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pulso-shared-modules-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs fixtures in one process of Jest. */
  async function run(names: string[], env: Record<string, string> = {}) {
    const found = join(folder, 'found');
    const results = join(folder, 'results.json');
    const config = { ...nodePreset, rootDir: FIXTURES, testMatch: ['**/*.fixture.ts'] };
    const args = [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      ...[join(ROOT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--json', `--outputFile=${results}`],
      ...['--config', JSON.stringify(config), ...names.map((name) => `/${name}.fixture`)],
    ];
    await new Promise<void>((resolve) => {
      const child = execFile(process.execPath, args, {
        env: { ...process.env, PULSO_TEST_ISOLATED: '', PULSO_JEST_PROGRESS: '', FOUND: found, ...env },
      });
      child.once('close', () => resolve());
    });
    const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
      testResults: { name: string; status: string; message: string }[];
    };
    const lines = readFileSync(found, 'utf8').trim().split('\n');
    return {
      status: Object.fromEntries(testResults.map(({ name, status }) => [nameOf(name), status])),
      message: Object.fromEntries(testResults.map(({ name, message }) => [nameOf(name), message])),
      found: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    };
  }
  const nameOf = (path: string) => path.slice(FIXTURES.length + 1, -'.fixture.ts'.length);

  const NOTHING = { global: false, random: false, mocked: false, clock: false, timeout: 'setTimeout' };

  it('leave nothing of one file to the next but the state of the module', async () => {
    const { status, found } = await run(['one', 'other']);
    expect(status).toEqual({ one: 'passed', other: 'passed' });
    expect(found).toEqual([1, 2].map((files) => ({ ...NOTHING, files })));
  });

  it('are loaded for each file with PULSO_TEST_ISOLATED=1', async () => {
    const { found } = await run(['one', 'other'], { PULSO_TEST_ISOLATED: '1' });
    expect(found).toEqual([1, 1].map((files) => ({ ...NOTHING, files })));
  });

  it('hide neither a failed test nor a file that cannot be loaded, and go on after it', async () => {
    const { status, message } = await run(['one', 'failing', 'unloadable', 'other']);
    expect(status).toEqual({ one: 'passed', failing: 'failed', unloadable: 'failed', other: 'passed' });
    expect(message.failing).toContain('Expected: 2');
    expect(message.unloadable).toContain('cannot be loaded');
  });

  it('are those of packages and sources, not those of tests', () => {
    const source = 'file:///pulso/services/posts/src/feed.ts';
    const helper = 'file:///pulso/services/posts/test/a-post.ts';
    const file = '/pulso/services/posts/src/feed.spec.ts';
    const react = '/pulso/node_modules/react/index.js';
    const library = '/pulso/node_modules/@testing-library/react/dist/index.js';
    const stay = (rule: (key: string) => boolean) =>
      [
        source,
        helper,
        file,
        react,
        library,
        'node:fs',
        `@jest/globals/${react}`,
        `@jest/globals/${file}`,
      ].map(rule);
    expect(stay(allButTestsStay)).toEqual([true, false, false, true, false, true, true, false]);
    expect(stay(packagesStay)).toEqual([false, false, false, true, false, true, true, false]);
  });

  it('are put aside for a file beside sources, which finds them new, and are there for the next', async () => {
    const { status, found } = await run(['one', 'src/beside', 'other']);
    expect(status).toEqual({ one: 'passed', 'src/beside': 'passed', other: 'passed' });
    const counted = found.map(({ files }) => files);
    // In whatever order they run.
    expect(counted.toSorted((one, other) => Number(one) - Number(other))).toEqual([1, 1, 2]);
    expect(wantsNewModules(join(ROOT, 'services/posts/src/feed.spec.ts'))).toBe(true);
    expect(wantsNewModules(join(ROOT, 'services/posts/test/feed.int.spec.ts'))).toBe(false);
  });

  it.each([
    ["jest.unstable_mockModule('./clock.js', () => ({}));", false],
    ['jest.resetModules();', false],
    ['await jest.isolateModulesAsync(load);', false],
    ['expect.extend({ toBeEven });', false],
    ['expect.anything();', true],
  ])('are shared by a file with `%s`: %s', (code, isShared) => {
    const file = join(folder, 'a.spec.ts');
    writeFileSync(file, code);
    expect(sharesModules(file)).toBe(isShared);
  });
});

describe('a version of Jest whose private parts have changed', () => {
  const parts = () => ({
    _testPath: '/a.spec.ts',
    esmLoader: { testPath: '' },
    executor: { testPath: '' },
    testState: { state: 'loading' },
    mockState: new Map(),
    testMainModule: { reset: () => undefined },
    loggedReferenceErrors: new Set(),
    registries: {
      exitIsolated: () => undefined,
      mockRegistry: new Map(),
      moduleMockRegistry: new Map(),
      esModuleRegistry: new Map(),
      moduleRegistry: new Map(),
      internalModuleRegistry: new Map(),
    },
  });

  it('is told in one line that names the part', () => {
    expect(complaintAbout(parts())).toBeUndefined();
    const { esmLoader, ...others } = parts();
    expect(complaintAbout(others)).toMatch(/^Jest's runtime has no `esmLoader\.testPath` any more: [^\n]+$/);
    const renamed = { ...parts(), registries: { ...parts().registries, moduleRegistry: [] } };
    expect(complaintAbout(renamed)).toContain('`registries.moduleRegistry.delete`');
  });
});
