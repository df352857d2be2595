import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../prepare.mjs';
import { killProcessesOf } from './process-tree.mjs';

const VARIABLE = 'PULSO_RUN_FOLDER';

/**
 * Does work whose temporary files, and those of all that it starts, are in a folder of their own, which is the TMPDIR: so
 * nothing of a run is left behind, and two runs do not meet. When the work has ended, the processes which still use the
 * folder are told and killed, and the folder is removed. Inside another run it is that run's folder, which also removes it.
 * After an interruption, which `signal` tells, it ends this program.
 *
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} work
 */
export async function inRunFolder(signal, work) {
  const remove = makeRunFolder();
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    remove();
  }
  if (signal.aborted) fail('Interrupted.');
}

function makeRunFolder() {
  if (process.env[VARIABLE]) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'pulso-run-'));
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(folder, 0o755);
  process.env[VARIABLE] = folder;
  process.env.TMPDIR = folder;
  return () => {
    for (const command of killProcessesOf(folder)) console.log(`was left running, and is ended: ${command}`);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}
