import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StartError } from '../process/start-error.js';

/** A program that runs with pipes. */
export interface Program {
  stdin: Writable;
  stdout: Readable;
  /** Resolves when it has ended with code 0; rejects with StartError, which has the end of what it said. */
  done: Promise<void>;
  kill(): void;
}

/** How much of a program's messages is kept. */
const SAID_BYTES = 2_000;

/** Starts a program, which is found on PATH. `env` is added to this process's environment. */
export function startProgram(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_BYTES);
  });
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new StartError(`${name} cannot be run: ${cause.message}`, { cause })),
    );
    child.once('close', (code, signal) => {
      if (code === 0) return resolve();
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      reject(new StartError(`${name} ${how}: ${said.trim() || 'it said nothing'}`));
    });
  });
  // It may fail before anybody waits for it.
  done.catch(() => undefined);
  // A write to a program that has ended fails whoever writes; here nobody else hears of it.
  child.stdin.on('error', () => undefined);
  return { stdin: child.stdin, stdout: child.stdout, done, kill: () => void child.kill() };
}

/**
 * What a program writes, to its end. Throws StartError after the last byte if it failed: output that was cut off is never taken for
 * whole. Ends the program when the reader stops.
 */
export async function* outputOf(program: Program): AsyncGenerator<Buffer> {
  try {
    yield* program.stdout as AsyncIterable<Buffer>;
    await program.done;
  } finally {
    program.kill();
  }
}

/** The codes of an error that only follows from another one at the other end of a pipe. */
const FOLLOWS = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'];

/** Waits for the end of all parts of a pipe. Throws the error that was the cause, not one that follows from it. */
export async function allOf(parts: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(parts);
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const follows = (error: unknown) => FOLLOWS.includes(String((error as { code?: unknown }).code));
  if (errors.length > 0) throw errors.find((error) => !follows(error)) ?? errors[0];
}
