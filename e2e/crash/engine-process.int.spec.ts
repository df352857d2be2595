import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { isAlive, signal as send } from '../support/pulso-process.js';

const engineProcess = join(fileURLToPath(import.meta.url), '../../../tools/engines/engine-process.mjs');

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
  import { afterThisProcess } from ${JSON.stringify(engineProcess)};
  afterThisProcess('rm -rf "$1"', process.argv[1]);
  console.log('begun');
  setTimeout(() => undefined, 600_000);
`;

/** Runs a program until the test ends; resolves with it and its first line. */
async function run(program: string, ...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestEnd(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const firstLine = () => {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}: ${output}`);
    return /^(.*)\n/.exec(output)?.[1];
  };
  return { child, line: await until(firstLine, { what: 'the first line of a program' }) };
}

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
    const folder = mkdtempSync(join(tmpdir(), 'pulso-after-'));
    onTestEnd(() => rmSync(folder, { recursive: true, force: true }));
    const { child: owner } = await run(OWNER, folder);
    expect(existsSync(folder)).toBe(true);
    owner.kill(signal);
    await until(() => !existsSync(folder), { what: `the command, after ${signal} to the process` });
  });
});
