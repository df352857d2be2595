import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@pulso/platform/testing/until';
import { freePorts } from '../../tools/free-ports.mjs';
import { commandOf, isAlive, processTree, signal as send } from '../support/pulso-process.js';
import { LIMITS } from '../support/test-pulso.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** Limits that only end what hangs. */
const START_MS = 200_000;
const END_MS = 90_000;

describe.each(['start', 'dev'])('npm run %s', (script) => {
  let directory: string;
  let npm: ChildProcess;
  let tree: number[];

  beforeEach(async () => {
    tree = [];
    directory = mkdtempSync(join(tmpdir(), 'pulso-signals-'));
    // For root, PostgreSQL runs as another account, which must be able to enter.
    chmodSync(directory, 0o755);
    const [inspectPort] = await freePorts(1);
    npm = spawn('npm', ['run', script], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        INSPECT_PORT: String(inspectPort),
        PULSO_DATA_DIR: directory,
        PULSO_SEED: 'none',
        ...LIMITS,
      },
    });
    let output = '';
    for (const stream of [npm.stdout!, npm.stderr!])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const isRunning = () => {
      if (npm.exitCode !== null) throw new Error(`npm ended with code ${npm.exitCode}:\n${output}`);
      return output.includes('Pulso is running at ');
    };
    await until(isRunning, { what: () => `the start; it said:\n${output}`, limit: START_MS });
    tree = processTree(npm.pid!);
  }, 240_000);

  afterEach(async () => {
    // When the start failed, the tree is not known yet.
    const left = [...new Set([...tree, ...processTree(npm.pid!)])].filter(isAlive);
    for (const pid of left) send(pid, 'SIGKILL');
    await until(() => !left.some(isAlive), { what: 'the end of the processes that were left' });
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['SIGTERM', 'npm'],
    ['SIGTERM', 'launcher'],
    ['SIGKILL', 'npm'],
    ['SIGKILL', 'launcher'],
  ] as const)('leaves no process behind after a %s to the %s', async (signal, target) => {
    const launcher = tree.find(
      (pid) => commandOf(pid).startsWith('node ') && commandOf(pid).includes(`tools/${script}.mjs`),
    );
    process.kill(target === 'npm' ? npm.pid! : launcher!, signal);
    const left = () => tree.filter(isAlive);
    await until(() => left().length === 0, {
      what: () => `the end of these processes:\n${left().map(commandOf).join('\n')}`,
      limit: END_MS,
    });
  });
});
