import { ConfigError } from '@pulso/platform/process/load-config';
import { StartError } from './start-error.js';

/** The functions that stop the started parts, in the order of their start. */
export type Closers = (() => Promise<void> | void)[];

export interface Launch {
  closers: Closers;
  /** Prints one line and stops with code 1. */
  abort(reason: string): void;
  /** Sets how long stopping may take, in milliseconds; then the process ends with code 1. */
  stopWithin(milliseconds: number): void;
}

/**
 * What stopping may take until `stopWithin` is called. Together with what the engines may take after it, all processes end
 * within 5 s.
 */
export const DEFAULT_STOP_DEADLINE_MS = 4_000;

/**
 * Runs `start` until SIGINT, SIGTERM or SIGHUP, then calls the functions in `closers` in reverse order. A failure prints one
 * line and ends with exit code 1.
 */
export async function launch(start: (launch: Launch) => Promise<void>): Promise<void> {
  const closers: Closers = [];
  let deadlineMs = DEFAULT_STOP_DEADLINE_MS;
  let stopping: Promise<void> | undefined;
  const stop = (code: number) => {
    stopping ??= closeAll(closers, deadlineMs).then((clean) => process.exit(clean ? code : 1));
    return stopping;
  };
  const abort = (reason: string) => {
    console.error(`pulso: ${reason}`);
    void stop(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
  try {
    await start({ closers, abort, stopWithin: (milliseconds) => (deadlineMs = milliseconds) });
  } catch (error) {
    // A part that was still starting fails because it is being closed.
    if (!stopping) abort(describe(error));
  }
}

/** Closes the parts in reverse order of their start. At the deadline the process ends without closing the rest. */
async function closeAll(closers: Closers, deadlineMs: number): Promise<boolean> {
  const timer = setTimeout(() => process.exit(1), deadlineMs);
  let clean = true;
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      clean = false;
      console.error(`pulso: ${describe(error)}`);
    }
  }
  clearTimeout(timer);
  return clean;
}

function describe(error: unknown): string {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return 'PULSO_DATA_DIR: the disk is full.';
  return message ?? String(error);
}

export const progress = (line: string): void => console.log(`${line} …`);
