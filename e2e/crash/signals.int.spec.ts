import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../tools/free-ports.mjs';
import { isAlive, processTree } from '../support/pulso-process.js';
import { waitFor } from '../support/wait-for.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** 5 s are guaranteed on an otherwise idle machine; other machines get more time. */
const END_WITHIN_MS = 20_000;

const commandOf = (pid: number) =>
  execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });

describe.each(['start', 'dev'])('npm run %s', (script) => {
  let directory: string;
  let npm: ChildProcess;
  let tree: number[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pulso-signals-'));
    // For root, PostgreSQL runs as another account, which must be able to enter.
    chmodSync(directory, 0o755);
    const [port, inspectPort] = await freePorts(2);
    npm = spawn('npm', ['run', script], {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: String(port),
        INSPECT_PORT: String(inspectPort),
        PULSO_DATA_DIR: directory,
        PULSO_SEED: 'none',
      },
    });
    const config = `http://127.0.0.1:${port}/api/config`;
    const answers = () =>
      fetch(config).then(
        ({ status }) => status === 200,
        () => false,
      );
    expect(await waitFor(answers, (answering) => answering, 60_000)).toBe(true);
    tree = processTree(npm.pid!);
  }, 240_000);

  afterEach(() => {
    for (const pid of tree.filter(isAlive)) process.kill(pid, 'SIGKILL');
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
    const left = await waitFor(
      async () => tree.filter(isAlive),
      (alive) => alive.length === 0,
      END_WITHIN_MS,
    );
    expect(left).toEqual([]);
  });
});
