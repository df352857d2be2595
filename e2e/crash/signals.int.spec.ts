import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@pulso/platform/testing/until';
import { freePorts } from '../../tools/free-ports.mjs';
import { commandOf, isAlive, processTree, signal as send } from '../support/pulso-process.js';
import { aDataDirectory, anEmptyDirectory } from '../support/template-directory.js';
import { LIMITS } from '../support/test-pulso.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** Limits that only end what hangs. */
const START_MS = 200_000;
const END_MS = 90_000;

describe.each(['start', 'dev'])('npm run %s', (script) => {
  let directory: string;
  let npm: ChildProcess;
  let tree: number[];
  // The first test begins with an empty folder; to the others the first start does not matter.
  let isFirst = true;

  beforeEach(async () => {
    tree = [];
    directory = isFirst ? anEmptyDirectory('signals') : await aDataDirectory('signals');
    isFirst = false;
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
  });

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
