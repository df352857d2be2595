import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { type Run, runProgram } from './run-program.js';

const MB = 1024 * 1024;

async function run(script: string, changes: Partial<Run> = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pulso-run-'));
  onTestEnd(() => rm(directory, { recursive: true, force: true }));
  return runProgram({
    ...{ program: process.execPath, args: ['-e', script], directory },
    ...{ limits: { cpuS: 20, wallMs: 60_000 }, memoryBytes: 4096 * MB, addressBytes: 1024 * 1024 * MB },
    ...{ fileBytes: MB, signal: new AbortController().signal },
    ...changes,
  });
}

// Rule: MEDIA-11
describe('a program within limits', () => {
  it('gives what it prints, and sees nothing of our environment', async () => {
    process.env['MEDIA_SECRET_OF_TEST'] = 'secret';
    onTestEnd(() => delete process.env['MEDIA_SECRET_OF_TEST']);
    const script = 'console.log(JSON.stringify([process.argv.slice(1), Object.keys(process.env)]))';
    const args = ['-e', script, 'a b', '$(id)', "'"];
    const [words, names] = JSON.parse(await run('', { args })) as [string[], string[]];
    expect(words).toEqual(['a b', '$(id)', "'"]);
    expect(names).not.toContain('MEDIA_SECRET_OF_TEST');
  });

  it.each([
    ['an error of its own', 'console.error("broken file"); process.exit(1)', 'ProgramFailed', 'broken file'],
    ['a crash', 'process.kill(process.pid, "SIGSEGV"); setTimeout(() => {}, 60000)', 'ProgramStopped', '139'],
    ['no memory', 'console.error("Cannot allocate memory"); process.exit(1)', 'ProgramStopped', 'memory'],
    ['a full disk', 'console.error("No space left on device"); process.exit(1)', 'Error', 'No space left'],
    [
      'output without an end',
      'for (;;) require("fs").writeSync(1, "x".repeat(65536))',
      'ProgramStopped',
      'prints',
    ],
  ])('ends with %s', async (_what, script, name, text) => {
    await expect(run(script)).rejects.toMatchObject({ name, message: expect.stringContaining(text) });
  });

  it('comes to its limit of processor time, and of time', async () => {
    const limits = { cpuS: 1, wallMs: 60_000 };
    await expect(run('for (;;);', { limits })).rejects.toMatchObject({ name: 'ProgramStopped' });
    const waiting = run('setTimeout(() => {}, 60000)', { limits: { cpuS: 20, wallMs: 100 } });
    await expect(waiting).rejects.toThrow('took longer than 100 ms');
  });

  it('writes no longer file than it may', async () => {
    const script = 'require("fs").writeFileSync("out", Buffer.alloc(3 * 1024 * 1024))';
    await expect(run(script)).rejects.toMatchObject({ name: expect.stringMatching(/^Program/) });
  });

  it('cannot be run where it is not there', async () => {
    await expect(run('', { program: '/nowhere/ffmpeg' })).rejects.toMatchObject({ name: 'Error' });
  });

  it('ends with the reason of the signal, and so does all that it has started', async () => {
    const controller = new AbortController();
    const directory = await mkdtemp(join(tmpdir(), 'pulso-run-'));
    onTestEnd(() => rm(directory, { recursive: true, force: true }));
    const script = 'require("fs").writeFileSync("begun", "yes"); setTimeout(() => {}, 60000)';
    const running = run(script, { directory, signal: controller.signal });
    const ended = expect(running).rejects.toThrow('enough');
    const begun = () => readFile(join(directory, 'begun'), 'utf8').catch(() => '');
    await until(async () => (await begun()) === 'yes', { what: 'the start of the program' });
    controller.abort(new Error('enough'));
    // It comes after the end of all who could print.
    await ended;
  });
});
