import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.js';

interface Holder {
  pid: number;
  /** The start time of that process as the system reports it: the pid alone may belong to another program by now. */
  startedAt: string;
}

/** Another instance is running on the data directory. */
export class DataDirectoryInUse extends StartError {}

/**
 * Locks the data directory for this process; `release` unlocks it. A lock whose holder was killed is taken over.
 * Throws DataDirectoryInUse when another instance is running there.
 */
export function lockDataDirectory(directory: string): { release(): void } {
  const lock = join(directory, 'instance.lock');
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Holder));
  try {
    while (!tryLink(own, lock)) removeIfStale(lock, directory);
  } finally {
    rmSync(own, { force: true });
  }
  return { release: () => rmSync(lock, { force: true }) };
}

/** A hard link is created completely or not at all, and by only one of several concurrent starters. */
function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock of a dead holder away, then checks the moved file again: another starter may have been faster. */
function removeIfStale(lock: string, directory: string): void {
  const seen = holderOf(lock);
  if (seen === undefined) return;
  if (isRunning(seen)) {
    throw new DataDirectoryInUse(
      `PULSO_DATA_DIR: ${directory} is in use by another instance (process ${seen.pid}).`,
    );
  }
  const moved = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = holderOf(moved);
  if (taken && isRunning(taken)) tryLink(moved, lock);
  rmSync(moved, { force: true });
}

function holderOf(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // The disk was full while the lock was written, so no process holds it.
    if (error instanceof SyntaxError) return { pid: 0, startedAt: '' };
    throw error;
  }
}

const isRunning = ({ pid, startedAt }: Holder) => pid > 0 && startOf(pid) === startedAt;

/** When process `pid` started, as the system reports it; empty when there is no such process. */
function startOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      // The 22nd field of stat(5), counted after the name, which may contain blanks.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has released everything it held.
      return fields[0] === 'Z'
        ? ''
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
    } catch {
      return '';
    }
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
