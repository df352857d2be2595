import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** Node's options for a child process that runs a TypeScript file on the sources of the packages. */
export const TYPESCRIPT = [
  '--conditions=source',
  '--import',
  join(here, '../events/typescript-loader.mjs'),
] as const;

/**
 * Runs the TypeScript file `program` in a process of its own and kills it with SIGKILL as soon as it has written to its
 * standard output. Resolves, when the process has ended, to the first output without surrounding spaces. Rejects with
 * its standard error if it ends before.
 */
export async function killAfterOutput(
  program: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const child = spawn(process.execPath, [...TYPESCRIPT, program, ...parameters], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const exited = once(child, 'exit');
  try {
    const said = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
    if (!said) throw new Error(`${program} ended before it wrote anything: ${complaint}`);
    return String(said[0]).trim();
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
