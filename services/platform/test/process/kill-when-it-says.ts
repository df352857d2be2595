import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TYPESCRIPT } from '../../testing/typescript.js';
import { until } from '../../testing/until.js';

interface Program {
  /** The TypeScript file to run. */
  file: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Runs a program until it prints the word, and kills it there. It is killed too when it does not print the word. */
export async function killWhenItSays(
  word: string,
  { file, args, env = process.env }: Program,
): Promise<void> {
  const child = spawn(process.execPath, [...TYPESCRIPT, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const exited = once(child, 'exit');
  let [said, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const isThere = () => {
    if (said.includes('\n')) return true;
    if (child.exitCode === null && child.signalCode === null) return false;
    throw new Error(`The process ended before it said ${word}: ${complaint}`);
  };
  try {
    const what = () => `a process to say ${word}; it said '${said}' and complained '${complaint}'`;
    await until(isThere, { what, limit: 100_000 });
    expect(said.trim()).toBe(word);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
