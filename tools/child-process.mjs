import { spawn } from 'node:child_process';

/** Ends a process group in order; after two seconds with SIGKILL. */
const END_GROUP =
  'kill -s TERM -- "-$1"; for s in 1 2; do sleep 1; kill -s 0 -- "-$1" || exit 0; done; kill -s KILL -- "-$1"';

/**
 * Makes a shell run `commands`, with `operand` as $1, after this process has ended for any reason: its end closes the
 * pipe to the shell, while a signal may prevent `exit` handlers. Returns a function that cancels this.
 */
export function afterThisProcess(commands, operand) {
  const guard = spawn('sh', ['-c', `read _; ${commands}`, 'sh', operand], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  return () => guard.kill('SIGKILL');
}

/**
 * Runs a program to its end without blocking this process. When this process ends before, for any reason, the program
 * and all processes of its group end, too. Past `limitMs`, if any, they are killed.
 *
 * @returns {Promise<{ code: number | null, output: string }>} its exit code, null after a signal, and what it printed
 */
export function runProgram(command, args, { limitMs, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (output += text));
    }
    child.once('error', reject);
    const { pid } = child;
    if (pid === undefined) return;
    const cancel = afterThisProcess(END_GROUP, `${pid}`);
    const timer =
      limitMs &&
      setTimeout(() => {
        output += `\n${command} did not end within ${Math.round(limitMs / 1_000)} s`;
        process.kill(-pid, 'SIGKILL');
      }, limitMs);
    child.once('close', (code) => {
      clearTimeout(timer);
      cancel();
      resolve({ code, output });
    });
  });
}

/** Runs a program of which only the success matters. Rejects with the end of its output when it fails. */
export async function runOrFail(command, args, options) {
  const { code, output } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${command} failed: ${output.trim().split('\n').slice(-20).join('\n')}`);
}
