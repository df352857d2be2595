import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@pulso/platform/testing/until';
import { freePorts } from '../../tools/free-ports.mjs';
import { commandOf, isAlive, processTree, signal as send } from './pulso-process.js';
import { LIMITS } from './test-pulso.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** Limits that only end what hangs. */
const START_MS = 200_000;
const END_MS = 90_000;
/** Of a test's set-up that starts one. */
export const SET_UP_MS = START_MS + 40_000;

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
  pidOf(target: Target): number;
  /** Resolves when all processes have ended that there were when Pulso said that it runs. */
  untilEnded(): Promise<void>;
  /** Kills what is left. */
  clear(): Promise<void>;
}

/** Runs `npm run <script>` as in a terminal of its own. Resolves when Pulso says that it runs. */
export async function startByNpm(
  script: string,
  dataDirectory: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<NpmProcess> {
  const [port, inspectPort] = await freePorts(2);
  const npm = spawn('npm', ['run', script, '--', ...(options.args ?? [])], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      // Only the cluster's launcher chooses none by itself.
      PORT: script === 'start:cluster' ? String(port) : '0',
      INSPECT_PORT: String(inspectPort),
      PULSO_DATA_DIR: dataDirectory,
      PULSO_SEED: 'none',
      ...LIMITS,
      ...options.env,
    },
  });
  let tree: number[] = [];
  const clear = async () => {
    // When the start failed, the tree is not known yet.
    const left = [...new Set([...tree, ...processTree(npm.pid!)])].filter(isAlive);
    for (const pid of left) send(pid, 'SIGKILL');
    await until(() => !left.some(isAlive), { what: 'the end of the processes that were left' });
  };
  let output = '';
  for (const stream of [npm.stdout!, npm.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const isRunning = () => {
    if (npm.exitCode !== null) throw new Error(`npm ended with code ${npm.exitCode}:\n${output}`);
    return output.includes('Pulso is running at ');
  };
  try {
    await until(isRunning, {
      what: () => `the start of npm run ${script}; it said:\n${output}`,
      limit: START_MS,
    });
  } catch (error) {
    await clear();
    throw error;
  }
  tree = processTree(npm.pid!);
  return {
    pidOf(target) {
      const found = tree.find((pid) => PROCESSES[target].test(commandOf(pid)));
      if (found === undefined) throw new Error(`no process of npm run ${script} is the ${target}`);
      return found;
    },
    async untilEnded() {
      const left = () => tree.filter(isAlive);
      await until(() => left().length === 0, {
        what: () => `the end of these processes:\n${left().map(commandOf).join('\n')}`,
        limit: END_MS,
      });
    },
    clear,
  };
}
