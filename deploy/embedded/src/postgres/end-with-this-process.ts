import { type ChildProcess, spawn } from 'node:child_process';

/** Fast shutdown; after three seconds the immediate one, from which the next start recovers by the log. */
const END =
  'read _; kill -INT "$1"; for s in 1 2 3; do sleep 1; kill -0 "$1" || exit 0; done; kill -QUIT "$1"';

/**
 * Makes a shell end `server` when this process has ended for any reason, including SIGKILL, after which no handler
 * would run: the pipe to the shell closes with this process. `ended` resolves when the shell has ended, which it does
 * together with `server`.
 */
export function endWithThisProcess(server: ChildProcess): { ended: Promise<void> } {
  if (process.platform === 'win32' || server.pid === undefined) return { ended: Promise.resolve() };
  const shell = spawn('sh', ['-c', END, 'sh', String(server.pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  server.once('exit', () => {
    // Without this, a process that has nothing else to do ends before it has seen the shell end.
    shell.ref();
    shell.kill('SIGKILL');
  });
  return {
    ended: new Promise((resolve) => shell.once('exit', () => resolve())),
  };
}
