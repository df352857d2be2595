import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { ApiClient } from '../support/api-client.js';
import { type PulsoProcess, isAlive, processTree, startPulsoProcess } from '../support/pulso-process.js';

const start = join(fileURLToPath(import.meta.url), '../../../tools/start.mjs');

/** Runs a launcher that is expected to fail; one that starts is killed. */
function failingStart(env: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [start],
      { env: { ...process.env, ...env }, timeout: 100_000, killSignal: 'SIGKILL' },
      (_, __, stderr) => {
        resolve({ code: child.exitCode ?? -1, lines: stderr.trim().split('\n') });
      },
    );
    onTestEnd(() => void child.kill('SIGKILL'));
  });
}

describe('the launcher', () => {
  // One for all tests, since it takes long to set up.
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-launch-'));
  chmodSync(dataDirectory, 0o755);
  const started: PulsoProcess[] = [];
  const startPulso = async () => {
    const pulso = await startPulsoProcess({ dataDirectory });
    started.push(pulso);
    return pulso;
  };
  // Also when a test fails: a Pulso that runs on would keep Jest from ending.
  afterEach(() => Promise.all(started.splice(0).map((pulso) => pulso.killTree())));
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

  it('prints one clear line and exits with code 1 when it cannot start', async () => {
    const taken = createServer();
    onTestEnd(() => new Promise((resolve) => taken.close(resolve)));
    await new Promise<void>((resolve, reject) => taken.once('error', reject).listen(0, '0.0.0.0', resolve));
    const port = String((taken.address() as { port: number }).port);
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORT: port, PULSO_DATA_DIR: dataDirectory }, /^pulso: PORT: \d+ is taken/],
      [
        { PORT: '0', OPERATIONS_PORT: port, PULSO_DATA_DIR: dataDirectory },
        /^pulso: OPERATIONS_PORT: \d+ is taken/,
      ],
      [{ PORT: 'eighty' }, /^pulso: Wrong settings\. PORT: must be a port number$/],
      [{ PULSO_DATA_DIR: '/dev/null/pulso' }, /^pulso: PULSO_DATA_DIR: .* is not a directory/],
      [{ PULSO_DATA_DIR: '/proc/pulso' }, /^pulso: PULSO_DATA_DIR: .* cannot be created/],
    ];
    for (const [env, line] of cases) {
      const { code, lines } = await failingStart({ PULSO_SEED: 'none', ...env });
      expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(line)] });
    }
  }, 240_000);

  it('refuses a second instance, ends on SIGTERM without leftover processes, and starts again', async () => {
    const first = await startPulso();
    const second = await failingStart({ PULSO_DATA_DIR: dataDirectory, PORT: '0' });
    expect(second).toEqual({ code: 1, lines: [expect.stringMatching(/is in use by another instance/)] });
    await new ApiClient(first.url).signUp('early-bird');
    const tree = processTree(first.pid);
    expect(await first.stop()).toBe(0);
    expect(tree.filter(isAlive)).toEqual([]);

    const again = await startPulso();
    await new ApiClient(again.url).logIn('early-bird');
    expect(await again.stop()).toBe(0);
  }, 240_000);

  it('ends without warnings and without leftover processes on Ctrl-C', async () => {
    const pulso = await startPulso();
    await new ApiClient(pulso.url).signUp('passer-by');
    const tree = processTree(pulso.pid);
    const before = pulso.output().length;
    expect(await pulso.interrupt()).toBe(0);
    expect(pulso.output().slice(before)).not.toMatch(/"level":"(warn|error|fatal)"|PostgreSQL ended/);
    expect(tree.filter(isAlive)).toEqual([]);
  }, 180_000);

  it('starts although a killed launcher left its engines running', async () => {
    const first = await startPulso();
    await new ApiClient(first.url).signUp('orphan');
    process.kill(first.pid, 'SIGKILL');
    const again = await startPulso();
    await new ApiClient(again.url).logIn('orphan');
    expect(await again.stop()).toBe(0);
  }, 240_000);
});
