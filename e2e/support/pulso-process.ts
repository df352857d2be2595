import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../tools/free-ports.mjs';
import { WAITS } from './test-pulso.js';

const root = join(fileURLToPath(import.meta.url), '../../..');

function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').slice(1);
}

/** A real Pulso in a separate process tree, started as `npm start` does. */
export interface PulsoProcess {
  url: string;
  pid: number;
  output(): string;
  /** SIGKILL to every process of the tree at once. */
  killTree(): Promise<void>;
  /** Sends SIGTERM to the launcher; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGINT to the whole group, like Ctrl-C in a terminal; resolves with the launcher's exit code. */
  interrupt(): Promise<number | null>;
}

export async function startPulsoProcess(options: {
  dataDirectory: string;
  port?: number;
  env?: Record<string, string>;
}): Promise<PulsoProcess> {
  const { port = (await freePorts(1))[0] } = options;
  const child = spawn(process.execPath, startCommand(), {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: String(port),
      PULSO_DATA_DIR: options.dataDirectory,
      PULSO_SEED: 'none',
      RATE_LIMIT_FACTOR: '0',
      ...WAITS,
      ...options.env,
    },
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const url = `http://127.0.0.1:${port}`;
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    await untilAnswering(url, child, () => output);
  } catch (error) {
    await killTree(child.pid!);
    throw error;
  }
  return {
    url,
    pid: child.pid!,
    output: () => output,
    async killTree() {
      await killTree(child.pid!);
      await exited;
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    interrupt() {
      process.kill(-child.pid!, 'SIGINT');
      return exited;
    },
  };
}

async function untilAnswering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    if (child.exitCode !== null) throw new Error(`Pulso ended with code ${child.exitCode}:\n${output()}`);
    const answer = await fetch(`${url}/api/config`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Pulso did not answer within 60 s:\n${output()}`);
}

/** All processes below `pid`, in whatever group or session, with `pid` itself first. */
export function processTree(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const tree = [pid];
  for (const parent of tree) {
    for (const [child, itsParent] of rows) if (itsParent === parent && child !== undefined) tree.push(child);
  }
  return tree;
}

async function killTree(pid: number): Promise<void> {
  const tree = processTree(pid);
  for (const member of tree) signal(member, 'SIGKILL');
  for (const deadline = Date.now() + 10_000; tree.some(isAlive);) {
    if (Date.now() > deadline)
      throw new Error(`Processes survive SIGKILL: ${tree.filter(isAlive).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  const state = execFileSync('sh', ['-c', `ps -o stat= -p ${pid} || true`], { encoding: 'utf8' }).trim();
  return state !== '' && !state.startsWith('Z');
}
