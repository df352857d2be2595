import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '../support/pulso-process.js';
import { waitFor } from '../support/wait-for.js';

const engineProcess = join(fileURLToPath(import.meta.url), '../../../tools/engines/engine-process.mjs');

/** Starts an engine that would run for half a minute, and prints its id. */
const STARTER = `
  import { EngineProcess } from ${JSON.stringify(engineProcess)};
  const program = 'console.log("ready"); setTimeout(() => undefined, 30_000)';
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
  setTimeout(() => undefined, 30_000);
`;

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
        10_000,
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
      10_000,
    );
    expect(exists).toBe(false);
  });
});
