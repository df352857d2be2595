import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { runProgram } from '../../tools/child-process.mjs';
import { isAlive, signal as send } from '../support/pulso-process.js';

const tools = join(fileURLToPath(import.meta.url), '../../../tools');
const engineProcess = join(tools, 'engines/engine-process.mjs');
const childProcess = join(tools, 'child-process.mjs');

/** Starts an engine that would run for ten minutes, and prints its id. */
const STARTER = `
  import { EngineProcess } from ${JSON.stringify(engineProcess)};
  const program = 'console.log("ready"); setTimeout(() => undefined, 600_000)';
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
  setTimeout(() => undefined, 600_000);
`;

/** Runs a program with a process of its own, which print their ids and would run for ten minutes. */
const RUNNER = `
  import { spawn } from 'node:child_process';
  import { runProgram } from ${JSON.stringify(childProcess)};
  const wait = 'setTimeout(() => undefined, 600_000)';
  const inner = 'require("node:child_process").spawn(process.execPath, ["--eval", process.argv[1]]);';
  const program =
    'const inner = ' + inner + 'require("node:fs").writeFileSync(process.argv[2], process.pid + " " + inner.pid);' + wait;
  await runProgram(process.execPath, ['--eval', program, wait, process.argv[1]]);
`;

/** Runs a program until the test ends. */
function begin(program: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestEnd(() => child.kill('SIGKILL'));
  return child;
}

/** Runs a program until the test ends; resolves with it and its first line. */
async function run(program: string, ...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = begin(program, ...args);
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const firstLine = () => {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}: ${output}`);
    return /^(.*)\n/.exec(output)?.[1];
  };
  return { child, line: await until(firstLine, { what: 'the first line of a program' }) };
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pulso-after-'));
  onTestEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('a program of the set-up, such as npm ci', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'ends with its processes when %s ends its starter',
    async (signal) => {
      const file = join(aFolder(), 'pids');
      const starter = begin(RUNNER, file);
      const written = () => existsSync(file) && /^\d+ \d+$/.exec(readFileSync(file, 'utf8'))?.[0];
      const told = await until(written, { what: 'the ids of the program and its process' });
      const pids = told.split(' ').map(Number);
      onTestEnd(() => pids.forEach((pid) => send(pid, 'SIGKILL')));
      expect(pids.map(isAlive)).toEqual([true, true]);
      starter.kill(signal);
      await until(() => !pids.some(isAlive), { what: `the end of both after ${signal} to their starter` });
    },
  );

  it('is killed with its processes at its limit', async () => {
    const waiting = ['--eval', 'setTimeout(() => undefined, 600_000)'];
    const ended = await runProgram(process.execPath, waiting, { limitMs: 1_000 });
    expect(ended).toEqual({ code: null, output: expect.stringMatching(/did not end within 1 s$/) });
  });
});

describe('an engine of the tools', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('ends when %s ends its starter', async (signal) => {
    const { child: starter, line } = await run(STARTER);
    const pid = Number(line);
    onTestEnd(() => void send(pid, 'SIGKILL'));
    expect(isAlive(pid)).toBe(true);
    starter.kill(signal);
    await until(() => !isAlive(pid), { what: `the end of the engine after ${signal} to its starter` });
  });
});

describe('a command to run after a process', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('runs when %s has ended the process', async (signal) => {
    const folder = aFolder();
    const { child: owner } = await run(OWNER, folder);
    expect(existsSync(folder)).toBe(true);
    owner.kill(signal);
    await until(() => !existsSync(folder), { what: `the command, after ${signal} to the process` });
  });
});
