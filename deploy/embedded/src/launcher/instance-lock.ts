import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.js';

interface Holder {
  pid: number;
  /** When that process started, as the system tells it: a pid alone may have been given to another program since. */
  startedAt: string;
}

/**
 * Takes the data directory for this process alone; `release` gives it back. A holder that was killed is recognised as
 * gone. Throws StartError when another instance is running there.
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

/** A hard link appears whole or not at all, and only for one of several starters. */
function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead holder's lock away; what was moved is looked at again, for another starter may have been quicker. */
function removeIfStale(lock: string, directory: string): void {
  const seen = holderOf(lock);
  if (seen === undefined) return;
  if (isRunning(seen)) {
    throw new StartError(`PULSO_DATA_DIR: ${directory} is in use by another instance (process ${seen.pid}).`);
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
    // A disk that filled up while it was written: nobody holds it.
    if (error instanceof SyntaxError) return { pid: 0, startedAt: '' };
    throw error;
  }
}

const isRunning = ({ pid, startedAt }: Holder) => pid > 0 && startOf(pid) === startedAt;

/** When process `pid` started, in the system's own words; empty when there is no such process. */
function startOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      // The 22nd field of stat(5), counted after the name, which may hold blanks.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has let go of everything it held.
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
