import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { ProgramFailed, ProgramStopped } from './video-failures.js';
import type { RunLimits } from './video-limits.js';

export interface Run {
  program: string;
  args: readonly string[];
  /** The folder that it works in; it may write nowhere else. */
  directory: string;
  limits: RunLimits;
  memoryBytes: number;
  addressBytes: number;
  /** The longest file that it may write. */
  fileBytes: number;
  signal: AbortSignal;
}

/**
 * Node cannot limit a process, so the system's shell does it, and then runs the program with arguments that it does not read. The
 * program ends with the shell's input, so also with this process after a kill -9. The shell waits for all that it has started: in a
 * container nobody else would. macOS keeps to the limits of time and of files, and not to those of memory.
 */
const LIMITED = `
ulimit -c 0
ulimit -t "$1"
ulimit -f "$2"
ulimit -d "$3" 2>/dev/null
ulimit -v "$4" 2>/dev/null
shift 4
exec 3<&0
nice -n 10 "$@" </dev/null 3<&- &
program=$!
{ read -r _ <&3; kill -9 "$program"; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$program"
code=$?
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$code"
`;
const BLOCK = 512;
const KB = 1024;
/** How long the shell has to end a program. */
const END_MS = 5_000;
/** The most that is kept of what a program prints. */
const PRINTED = 1024 * 1024;
const COMPLAINED = 4 * 1024;
/** A shell adds it to the number of the signal that ended a program. */
const SIGNALLED = 128;
/** A shell's own: the program cannot be run. */
const NOT_RUN = [126, 127];
/** The file is not to blame for these. */
const DISK_FULL = /no space left|disk quota exceeded/i;
const OUT_OF_MEMORY = /cannot allocate memory|out of memory/i;

/** What a program needs of the environment: none of the worker's secrets. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * Runs a program within limits, and resolves to what it has printed. Rejects with ProgramFailed if it ends with an error, with
 * ProgramStopped if it crashes or comes to a limit, with the reason of the signal, and with any other error where this machine is to blame.
 */
export async function runProgram(run: Run): Promise<string> {
  const { program, args, directory, limits, memoryBytes, addressBytes, fileBytes, signal } = run;
  signal.throwIfAborted();
  const bounds = [limits.cpuS, fileBytes / BLOCK, memoryBytes / KB, addressBytes / KB].map((bound) =>
    String(Math.ceil(bound)),
  );
  const child = spawn('/bin/sh', ['-c', LIMITED, 'limits', ...bounds, program, ...args], {
    cwd: directory,
    env: Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be ended at once.
    detached: true,
  });
  const name = basename(program);
  let stopped: Error | undefined;
  let lastResort: NodeJS.Timeout | undefined;
  const stop = (reason: Error) => {
    stopped ??= reason;
    child.stdin.destroy();
    lastResort ??= setTimeout(() => killGroup(child.pid), END_MS);
  };
  const onAbort = () => stop(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  const tooLate = new ProgramStopped(`${name} took longer than ${limits.wallMs} ms`);
  const timer = setTimeout(() => stop(tooLate), limits.wallMs);
  // Its end closes the pipe, which may tell of it.
  child.stdin.on('error', () => undefined);
  const printed = first(child.stdout, PRINTED, () =>
    stop(new ProgramStopped(`${name} prints without an end`)),
  );
  const complaint = last(child.stderr, COMPLAINED);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      // The pipes of what was killed with it may close later; what it printed has come by then.
      child.once('close', (exitCode, by) => resolve(exitCode ?? (by === null ? 1 : SIGNALLED + 1)));
      child.once('exit', () => child.stdin.destroy());
    });
    if (stopped) throw stopped;
    if (code === 0) return printed();
    throw failureOf(name, code, complaint());
  } finally {
    clearTimeout(timer);
    clearTimeout(lastResort);
    signal.removeEventListener('abort', onAbort);
  }
}

function failureOf(name: string, code: number, complaint: string): Error {
  const about = `${name} ended with ${code}: ${complaint}`;
  if (DISK_FULL.test(complaint) || NOT_RUN.includes(code)) return new Error(about);
  if (code > SIGNALLED || OUT_OF_MEMORY.test(complaint)) return new ProgramStopped(about);
  return new ProgramFailed(about);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The first bytes of a stream; `tooMany` is called where there are more. */
function first(stream: Readable, most: number, tooMany: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) tooMany();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString();
}

/** The last bytes of a stream, as one line. */
function last(stream: Readable, most: number): () => string {
  let kept: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => (kept = Buffer.concat([kept, chunk]).subarray(-most)));
  return () => kept.toString().trim().replaceAll(/\s+/g, ' ');
}
