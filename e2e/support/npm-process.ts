import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../tools/free-ports.mjs';
import { aliveAmong, infoOf, processTree } from './pulso-process.js';
import { waitFor } from './wait-for.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** Ends a start that hangs: a busy machine takes minutes for one. */
export const START_TIMEOUT_MS = 300_000;

/** What identifies the processes of the tree by their commands. */
const PROCESSES = {
  npm: /^npm /,
  shell: /^sh -c node /,
  launcher: /^node .*tools\/(start|dev|start-cluster)\.mjs/,
  'document store': /document-store\/main\.js/,
  PostgreSQL: /postgres -D /,
};

export type Target = keyof typeof PROCESSES;

export interface NpmProcess {
  /** All its processes when it answered first. */
  tree: readonly number[];
  pidOf(target: Target): number;
  /** Kills what is left. */
  clear(): void;
}

/** A folder for data, and what removes it. */
export function aDataDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pulso-signals-'));
  // For root, PostgreSQL runs as another account, which must be able to enter.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs `npm run <script>` as in a terminal of its own. Resolves when the gateway answers. */
export async function startByNpm(
  script: string,
  dataDirectory: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<NpmProcess> {
  const [port, inspectPort] = await freePorts(2);
  const npm = spawn('npm', ['run', script, '--', ...(options.args ?? [])], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: String(port),
      INSPECT_PORT: String(inspectPort),
      PULSO_DATA_DIR: dataDirectory,
      PULSO_SEED: 'none',
      ...options.env,
    },
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/api/config`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const answering = await waitFor(answers, Boolean, START_TIMEOUT_MS);
  const tree = processTree(npm.pid!);
  const clear = () => {
    for (const pid of aliveAmong(tree)) process.kill(pid, 'SIGKILL');
  };
  if (!answering) {
    clear();
    throw new Error(`npm run ${script} did not answer within ${START_TIMEOUT_MS / 1000} s`);
  }
  return {
    tree,
    pidOf(target) {
      const found = infoOf('args', tree).find(([, command]) => PROCESSES[target].test(command));
      if (!found) throw new Error(`no process of npm run ${script} is the ${target}`);
      return found[0];
    },
    clear,
  };
}
