import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^pulso-video-(\d+)-/;
/** Those that this process uses now. */
const inUse = new Set<string>();

/** Runs `work` with the path of an empty folder of its own, which is removed at its end. */
export async function inWorkDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), `pulso-video-${process.pid}-`));
  inUse.add(directory);
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
    inUse.delete(directory);
  }
}

/**
 * Removes the folders of processes that were killed. In a container the process of before had the same number as this one, so what has this
 * number and is not in use is also of a killed one.
 */
export async function removeWorkDirectories(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? NaN);
    const directory = join(tmpdir(), name);
    if (Number.isNaN(pid) || inUse.has(directory)) continue;
    if (pid === process.pid || !isRunning(pid)) await rm(directory, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may be another user's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
