import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLUGIN = fileURLToPath(new URL('../../tools/lint/waiting.mjs', import.meta.url));
const OXLINT = fileURLToPath(new URL('../../node_modules/oxlint/bin/oxlint', import.meta.url));
/** Ends a linter that hangs; a run takes about a second. */
const LIMIT_MS = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pulso-lint-rules-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Output {
  diagnostics: { code: string; labels: { span: { line: number } }[] }[];
}

/** The ones of `bodies` which the rule finds, each the body of a function on a line of its own. */
async function found(rule: string, bodies: string[]): Promise<string[]> {
  const config = {
    jsPlugins: [PLUGIN],
    categories: { correctness: 'off' },
    rules: { [`pulso/${rule}`]: 'error' },
  };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  const lines = bodies.map((body, index) => `export async function test${index}() { ${body} }`);
  writeFileSync(join(folder, 'some.spec.ts'), lines.join('\n'));

  const { diagnostics } = JSON.parse(await outputOf(['--format', 'json', 'some.spec.ts'])) as Output;
  // A file that does not parse is found by no rule, and would pass for one without findings.
  expect(diagnostics.map(({ code }) => code)).toEqual(diagnostics.map(() => `pulso(${rule})`));
  const numbers = new Set(diagnostics.flatMap(({ labels }) => labels.map(({ span }) => span.line)));
  return bodies.filter((_, index) => numbers.has(index + 1));
}

/** What oxlint prints; it exits with 1 when it finds something. */
function outputOf(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: LIMIT_MS };
    execFile(process.execPath, [OXLINT, ...args], options, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(`oxlint: ${stdout}${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

describe('pulso/wait-by-until', () => {
  it('finds a loop that only passes time', async () => {
    const bodies = [
      'while (!done()) await delay(10);',
      'while (!done()) { look(); await timers.setTimeout(10); }',
      'for (;;) { if (done()) break; await new Promise((resolve) => setTimeout(resolve, 10)); }',
      'do { await setImmediate(); } while (!done());',
      'for (let turn = 0; turn < 9; turn++) { if (!done()) { await sleep(10); } }',
    ];
    expect(await found('wait-by-until', bodies)).toEqual(bodies);
  });

  it('leaves a loop that works, a pause outside of a loop, and one in a function that the loop only makes', async () => {
    const bodies = [
      'while (!done()) await page.next();',
      'for (let index = 0; index < 3; index++) await write(index);',
      'for (let index = 0; index < 3; index++) tasks.push(async () => { await delay(10); });',
      'while (!done()) { handlers.push(async function () { await new Promise(later); }); }',
      'await delay(10); while (!done()) await read();',
      "await until(() => done(), { what: 'the end' });",
    ];
    expect(await found('wait-by-until', bodies)).toEqual([]);
  });
});

describe('pulso/no-time-assertion', () => {
  it('finds an assertion of a duration, of processor time and of bytes in use', async () => {
    const bodies = [
      'const started = performance.now(); await work(); expect(performance.now() - started).toBeLessThan(9);',
      'const started = Date.now(); const elapsed = Date.now() - started; expect(elapsed).toBeLessThan(9);',
      'const started = Date.now(); await work(); expect((Date.now() - started) / 1000).toBeLessThan(9);',
      'expect(process.cpuUsage().user).toBeLessThan(9);',
      'const { heapUsed } = process.memoryUsage(); expect(heapUsed).toBeLessThan(9);',
    ];
    expect(await found('no-time-assertion', bodies)).toEqual(bodies);
  });

  it('leaves a point in time, a difference of two fields, and a duration that nothing asserts', async () => {
    const bodies = [
      'expect(Date.now()).toBeGreaterThan(post.createdAt);',
      'expect(post.createdAt - other.createdAt).toBe(5);',
      'const started = Date.now(); await work(); console.info(Date.now() - started); expect(count).toBe(1);',
      'const elapsed = () => Date.now() - started; expect(posts.length).toBe(3);',
    ];
    expect(await found('no-time-assertion', bodies)).toEqual([]);
  });
});
