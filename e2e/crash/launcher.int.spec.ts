import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../support/api-client.js';
import { endOf, timed } from '../support/end-of.js';
import { type PulsoProcess, processTree, startPulsoProcess } from '../support/pulso-process.js';

const start = join(fileURLToPath(import.meta.url), '../../../tools/start.mjs');

/** Runs a launcher that is expected to fail. */
function failingStart(env: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [start],
      { env: { ...process.env, ...env }, timeout: 120_000 },
      (_, __, stderr) => {
        resolve({ code: child.exitCode ?? -1, lines: stderr.trim().split('\n') });
      },
    );
  });
}

describe('the launcher', () => {
  // One for all tests, since it takes long to set up.
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pulso-launch-'));
  chmodSync(dataDirectory, 0o755);
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

  it('prints one clear line and exits with code 1 when it cannot start', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '0.0.0.0', resolve));
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
    await new Promise((resolve) => taken.close(resolve));
  });

  it('refuses a second instance, ends within 5 s on SIGTERM, and starts within 8 s', async () => {
    const first = await startPulsoProcess({ dataDirectory });
    const second = await failingStart({ PULSO_DATA_DIR: dataDirectory, PORT: '0' });
    expect(second).toEqual({ code: 1, lines: [expect.stringMatching(/is in use by another instance/)] });
    await new ApiClient(first.url).signUp('early-bird');
    const tree = processTree(first.pid);
    const ending = endOf(tree);
    expect(await first.stop()).toBe(0);
    expect(await ending).toEqual({ left: [], late: false });

    const { result: again, late } = await timed(8_000, () => startPulsoProcess({ dataDirectory }));
    expect(late).toBe(false);
    await new ApiClient(again.url).logIn('early-bird');
    expect(await again.stop()).toBe(0);
  });

  it('ends without warnings and without leftover processes on Ctrl-C', async () => {
    const pulso = await startPulsoProcess({ dataDirectory });
    await new ApiClient(pulso.url).signUp('passer-by');
    const tree = processTree(pulso.pid);
    const before = pulso.output().length;
    const ending = endOf(tree);
    await pulso.interrupt();
    expect(pulso.output().slice(before)).not.toMatch(/"level":"(warn|error|fatal)"|PostgreSQL ended/);
    expect(await ending).toEqual({ left: [], late: false });
  });

  it('starts although a killed launcher left its engines running', async () => {
    const first = await startPulsoProcess({ dataDirectory });
    await new ApiClient(first.url).signUp('orphan');
    process.kill(first.pid, 'SIGKILL');
    const again = await startPulsoProcess({ dataDirectory });
    await new ApiClient(again.url).logIn('orphan');
    expect(memoryOf(again)).toBeLessThan(600 * 1024);
    expect(await again.stop()).toBe(0);
  });
});

/** Proportional set size of the whole tree, in KiB. */
function memoryOf({ pid }: PulsoProcess): number {
  const sizes = processTree(pid).map((member) => {
    const rollup = readFileSync(`/proc/${member}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
