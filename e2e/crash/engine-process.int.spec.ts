import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '../support/pulso-process.js';
import { waitFor } from '../support/wait-for.js';

const engineProcess = join(fileURLToPath(import.meta.url), '../../../tools/engines/engine-process.mjs');

/** Starts an engine that would run on for half a minute, and prints its id. */
const STARTER = `
  import { EngineProcess } from ${JSON.stringify(engineProcess)};
  const program = 'console.log("ready"); setTimeout(() => undefined, 30_000)';
  const args = ['--eval', program];
  const engine = new EngineProcess({ name: 'x', command: process.execPath, args, isReady: () => true });
  await engine.start();
  console.log(engine.pid);
`;

describe('an engine of the tools', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('ends with what started it by %s', async (signal) => {
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
