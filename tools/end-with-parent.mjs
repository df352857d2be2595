import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { procStat } from './proc-stat.mjs';

const POLL_MS = 250;

/**
 * Sends SIGTERM to this process when its parent has ended, or when the npm that started it through a shell has ended:
 * a SIGTERM to npm ends only npm and its shell, and a SIGKILL does not even end the shell. Not supported on Windows.
 */
export function endWithParent() {
  const parent = process.ppid;
  // 0: the process was started from outside of the container.
  if (process.platform === 'win32' || parent === 0) return;
  const starter = starterOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(starter)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}

/** The parent of `pid` if `pid` is the shell of an npm script, else `pid` itself. */
function starterOf(pid) {
  const { ppid, command } = lookUp(pid);
  return process.env.npm_lifecycle_event && /^\S*sh -c /.test(command) ? ppid : pid;
}

/** Reads /proc first, because slim Linux images have no `ps`. */
function lookUp(pid) {
  if (process.platform === 'linux') {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { ppid: procStat(pid).parent, command };
  }
  const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', `${pid}`], { encoding: 'utf8' });
  const [, ppid, command = ''] = /^\s*(\d+)\s+(.*)/.exec(line) ?? [];
  return { ppid: Number(ppid), command };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user, as with sudo.
    return error.code === 'EPERM';
  }
}
