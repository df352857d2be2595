import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface CommandOptions {
  /** Ends it, and says so; in ms. */
  limit?: number;
  /** What it reads on its input. */
  input?: string;
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Kills it when it is aborted. */
  signal?: AbortSignal;
  /** Called with each line of its output and of its errors, as it comes. */
  onLine?: (line: string) => void;
}

export interface Ended {
  /** `null` when a signal has ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

const LIMIT_MS = 60_000;
/** Of its errors, in a message. */
const SHOWN = 1_500;

/** A program that ended with another code than 0. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';

  constructor(
    readonly command: string,
    readonly ended: Ended,
  ) {
    const said = (ended.stderr.trim() || ended.stdout.trim()).slice(-SHOWN);
    super(`${command} ended with ${ended.code ?? 'a signal'}: ${said}`);
  }
}

/** Runs a program to its end. Rejects with `CommandFailed` unless it ends with 0, and after the limit (60 s). */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions = {}) {
  const ended = await tryCommand(command, args, options);
  if (ended.code !== 0) throw new CommandFailed(textOf(command, args), ended);
  return ended;
}

/** Runs a program to its end, whatever its code is. Rejects when there is no such program, and after the limit (60 s). */
export async function tryCommand(
  command: string,
  args: readonly string[],
  { limit = LIMIT_MS, input, env, cwd, signal, onLine }: CommandOptions = {},
): Promise<Ended> {
  signal?.throwIfAborted();
  // A group of its own: Ctrl+C of the terminal shall end the proof in order, and not the programs that tidy up.
  const child = spawn(command, args, { cwd, detached: true, env: { ...process.env, ...env } });
  const kill = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      // The group has ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limit);
  signal?.addEventListener('abort', kill);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (texts[name] += chunk));
    if (onLine) createInterface({ input: child[name] }).on('line', onLine);
  }
  // Who ends without reading breaks the pipe; its code says more than that.
  child.stdin.on('error', () => undefined).end(input);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal?.throwIfAborted();
    const ended = { code, ...texts };
    if (isLate)
      throw new Error(
        `${textOf(command, args)} did not end within ${limit / 1000} s: ${texts.stderr.slice(-SHOWN)}`,
      );
    return ended;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

const textOf = (command: string, args: readonly string[]) => [command, ...args].join(' ').slice(0, 300);
