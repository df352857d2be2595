import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOf } from '../support/end-of.js';
import { isAlive } from '../support/pulso-process.js';
import { waitFor } from '../support/wait-for.js';

const tools = join(fileURLToPath(import.meta.url), '../../../tools');
const engineProcess = join(tools, 'engines/engine-process.mjs');
const childProcess = join(tools, 'child-process.mjs');

/** Longer than a busy machine takes to start or to end these programs, which run for longer still. */
const ENDED_MS = 60_000;

/** Starts an engine that would run for five minutes, and prints its id. */
const STARTER = `
  import { EngineProcess } from ${JSON.stringify(engineProcess)};
  const program = 'console.log("ready"); setTimeout(() => undefined, 300_000)';
  const args = ['--eval', program];
  const engine = new EngineProcess({ name: 'x', command: process.execPath, args, isReady: () => true });
  await engine.start();
  console.log(engine.pid);
`;

/** Schedules the removal of a folder for after its end, and keeps running. */
const OWNER = `
  import { afterThisProcess } from ${JSON.stringify(childProcess)};
  afterThisProcess('rm -rf "$1"', process.argv[1]);
  console.log('begun');
  setTimeout(() => undefined, 300_000);
`;

/** Runs a program with a process of its own, which print their ids and would run for five minutes. */
const RUNNER = `
  import { spawn } from 'node:child_process';
  import { runProgram } from ${JSON.stringify(childProcess)};
  const wait = 'setTimeout(() => undefined, 300_000)';
  const inner = 'require("node:child_process").spawn(process.execPath, ["--eval", process.argv[1]]);';
  const program =
    'const inner = ' + inner + 'require("node:fs").writeFileSync(process.argv[2], process.pid + " " + inner.pid);' + wait;
  await runProgram(process.execPath, ['--eval', program, wait, process.argv[1]]);
`;

describe('a program of the set-up, such as npm ci', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'ends with its processes when %s ends its starter',
    async (signal) => {
      const file = join(mkdtempSync(join(tmpdir(), 'pulso-program-')), 'pids');
      const starter = spawn(process.execPath, ['--input-type=module', '--eval', RUNNER, file], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const written = await waitFor(
        async () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
        (text) => text !== '',
        ENDED_MS,
      );
      const pids = written.split(' ').map(Number);
      expect(pids.map(isAlive)).toEqual([true, true]);
      starter.kill(signal);
      expect((await endOf(pids)).left).toEqual([]);
    },
    90_000,
  );
});

describe('an engine of the tools', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('ends when %s ends its starter', async (signal) => {
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', STARTER], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await once(starter.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    expect(isAlive(pid)).toBe(true);
    starter.kill(signal);
    expect(
      await waitFor(
        async () => isAlive(pid),
        (alive) => !alive,
        ENDED_MS,
      ),
    ).toBe(false);
  });
});

describe('a command to run after a process', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('runs when %s has ended the process', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'pulso-after-'));
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', OWNER, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    expect(existsSync(folder)).toBe(true);
    owner.kill(signal);
    const exists = await waitFor(
      async () => existsSync(folder),
      (there) => !there,
      ENDED_MS,
    );
    expect(exists).toBe(false);
  });
});
