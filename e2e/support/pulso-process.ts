import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// By path: Playwright uses the built packages, and their `testing` folders are not built.
import { until } from '../../services/platform/testing/until.js';
import { procStat } from '../../tools/proc-stat.mjs';
import { processTree } from '../../tools/suites/process-tree.mjs';
import { LIMITS } from './test-pulso.js';

export { processTree };

const root = join(fileURLToPath(import.meta.url), '../../..');
/** Limits that only end what hangs. */
const START_MS = 100_000;
const STOP_MS = 90_000;

function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(1);
}

/** A real Pulso in a separate process tree, started as `npm start` does. */
export interface PulsoProcess {
  /** With a port that it has chosen itself: after another start it is another one. */
  url: string;
  pid: number;
  output(): string;
  /** SIGKILL to every process of the tree at once; does nothing when it has ended. */
  killTree(): Promise<void>;
  /** Sends SIGTERM to the launcher; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGINT to the whole group, like Ctrl-C in a terminal; resolves with the launcher's exit code. */
  interrupt(): Promise<number | null>;
}

export async function startPulsoProcess(options: {
  dataDirectory: string;
  env?: Record<string, string>;
}): Promise<PulsoProcess> {
  const child = spawn(process.execPath, startCommand(), {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: '0',
      PULSO_DATA_DIR: options.dataDirectory,
      PULSO_SEED: 'none',
      RATE_LIMIT_FACTOR: '0',
      ...LIMITS,
      ...options.env,
    },
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const endOf = async (how: string) => {
    await until(hasEnded, {
      what: () => `the end of Pulso after ${how}; it said:\n${output}`,
      limit: STOP_MS,
    });
    return child.exitCode;
  };
  const killAll = async () => {
    if (hasEnded()) return;
    await killTree(child.pid!);
    await endOf('SIGKILL');
  };
  const address = () => {
    if (hasEnded()) throw new Error(`Pulso ended with ${child.signalCode ?? child.exitCode}:\n${output}`);
    return /Pulso is running at (\S+)\s/.exec(output)?.[1];
  };
  try {
    const url = await until(address, {
      what: () => `the start of Pulso; it said:\n${output}`,
      limit: START_MS,
    });
    return {
      url,
      pid: child.pid!,
      output: () => output,
      killTree: killAll,
      stop() {
        child.kill('SIGTERM');
        return endOf('SIGTERM');
      },
      interrupt() {
        process.kill(-child.pid!, 'SIGINT');
        return endOf('SIGINT');
      },
    };
  } catch (error) {
    await killAll();
    throw error;
  }
}

/** Sends SIGKILL to `pid` and to every process below it; resolves when they have ended. */
export async function killTree(pid: number): Promise<void> {
  const tree = processTree(pid);
  for (const member of tree) signal(member, 'SIGKILL');
  const left = () => tree.filter(isAlive);
  await until(() => left().length === 0, {
    what: () => `the end of processes ${left().join(', ')} after SIGKILL`,
  });
}

export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** The process's command line; empty when there is no such process. */
export function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', `${pid}`], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Whether the process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  const state = stateOf(pid);
  return state !== '' && !state.startsWith('Z');
}

/** The process's state as `ps` names it; empty when there is no such process. */
function stateOf(pid: number): string {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
    return procStat(pid).state;
  } catch {
    return '';
  }
}
