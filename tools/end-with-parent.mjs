import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The 4th field of stat(5), counted after the name, which may contain blanks.
    return { ppid: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command };
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
