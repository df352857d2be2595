import { jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '../../tools/suites/report.mjs';
import { repeatFailed, runSuite } from '../../tools/suites/suite.mjs';

/** Only ends what hangs. */
const LIMIT_MS = 60_000;
/** Of a run that hangs on purpose, whose other files need far less. */
const HANGING_LIMIT_MS = 10_000;

/** The thread stands still, without keeping a processor busy. */
const HANG = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pulso-suites-'));
  write('package.json', '{}');
  write('jest.config.json', '{ "testEnvironment": "node", "transform": {} }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const passing = (name: string) => write(`${name}.spec.js`, "it('passes', () => undefined);");

async function linesOf(pattern: string, limitMs = LIMIT_MS): Promise<string[]> {
  const report = new Report();
  const log = join(folder, 'log');
  const options = { log, limitMs };
  const failed = await runSuite({ folder, patterns: [pattern], ...options }, report);
  jest.spyOn(console, 'log').mockReturnValue();
  await repeatFailed(failed, { ...options, logOf: () => log }, report);
  report.end();
  return report.lines().map((line) => line.replace(/\S*\/(?=[^/]+\.spec)/, ''));
}
afterEach(() => jest.restoreAllMocks());

describe('a run of suites', () => {
  it('names a test that always fails, with the first line of its error', async () => {
    write('a-red.spec.js', "it('adds', () => { throw new Error('one is not two'); });");
    passing('a-green');
    expect(await linesOf('a-')).toEqual([
      'Failed: a-red.spec.js › adds: Error: one is not two',
      '1 passed, 1 failed',
    ]);
  });

  it('counts a file that fails once as passed, and tells that it is flaky', async () => {
    const mark = JSON.stringify(join(folder, 'mark'));
    write(
      'b-first.spec.js',
      `const fs = require('fs');
       it('is there', () => { const was = fs.existsSync(${mark}); fs.writeFileSync(${mark}, ''); expect(was).toBe(true); });`,
    );
    expect(await linesOf('b-')).toEqual(['flaky: b-first.spec.js', '1 passed, 0 failed']);
  });

  it('ends a file that never ends, names it, and still runs the files after it', async () => {
    write('c-1.spec.js', `it('hangs', () => ${HANG});`.padEnd(2_000));
    passing('c-2');
    passing('c-3');
    expect(await linesOf('c-', HANGING_LIMIT_MS)).toEqual([
      'Failed: c-1.spec.js: had begun when its suite did not end within 10 s',
      '2 passed, 1 failed',
    ]);
  });

  it('names a file that crashes its process, and one that cannot be loaded', async () => {
    write('d-1.spec.js', "it('crashes', () => process.kill(process.pid, 'SIGKILL'));".padEnd(2_000));
    write('d-2.spec.js', "require('./nothing');");
    passing('d-3');
    const lines = await linesOf('d-');
    expect(lines).toEqual([
      'Failed: d-1.spec.js: had begun when its suite ended with signal SIGKILL',
      expect.stringMatching(/^Failed: d-2\.spec\.js: could not be loaded: Cannot find module/),
      '1 passed, 2 failed',
    ]);
  });

  it('is red when no test has run', async () => {
    expect((await linesOf('nothing')).at(-1)).toMatch(/^0 passed, [1-9]/);
  });
});

describe('a report', () => {
  it('has 60 lines at most: failures first, then what is flaky, steps, and the sum', () => {
    const report = new Report();
    for (let count = 0; count < 100; count += 1) report.fail('a.spec.ts', { test: `${count}`, error: 'no' });
    report.passLater('b.spec.ts');
    const lines = report.lines(['npm test: 5 min']);
    expect(lines).toHaveLength(60);
    expect(lines.slice(-3)).toEqual(['… and 44 more', 'npm test: 5 min', '0 passed, 100 failed']);
  });

  it('is red when more than ten files are flaky', () => {
    const report = new Report();
    report.pass(11);
    for (let count = 0; count < 11; count += 1) report.passLater(`${count}.spec.ts`);
    report.end();
    expect(report.failed).toBe(1);
  });
});
