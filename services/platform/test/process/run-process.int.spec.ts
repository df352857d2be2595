import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestEnd } from '../../testing/on-test-end.js';
import { TYPESCRIPT } from '../../testing/typescript.js';
import { until } from '../../testing/until.js';

const here = dirname(fileURLToPath(import.meta.url));
const STORE_URL = 'postgres://pulso:pa%3Ass-w0rd@db:5432/pulso?sslpassword=hush';

class Living {
  stdout = '';
  stderr = '';
  private exitCode: number | null | undefined;
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>, ipc = false) {
    const args = [...TYPESCRIPT, join(here, 'living-process.ts')];
    this.child = spawn(process.execPath, args, {
      stdio: ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...env },
    });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    // Its last output may arrive after its exit, and before its streams close.
    // Not the child's own `close`, which does not come after `disconnect`.
    const closed = Promise.all([
      once(this.child, 'exit'),
      once(this.child.stdout!, 'close'),
      once(this.child.stderr!, 'close'),
    ]).then(([[code]]) => void (this.exitCode = code as number | null));
    onTestEnd(() => {
      this.child.kill('SIGKILL');
      return closed;
    });
  }

  /** Resolves with the exit code when the process has ended; null if a signal ended it. */
  async ended(): Promise<number | null> {
    await until(() => this.exitCode !== undefined, {
      what: () => `the end of ${String(this)}`,
      limit: 100_000,
    });
    return this.exitCode!;
  }

  async said(word: string): Promise<this> {
    const hasSaid = () => {
      if (this.stdout.includes(word)) return true;
      if (this.exitCode !== undefined) throw new Error(`It ended without '${word}': ${String(this)}`);
      return false;
    };
    await until(hasSaid, { what: () => `the word '${word}' of ${String(this)}`, limit: 100_000 });
    return this;
  }

  toString(): string {
    return `a process that said:\n${this.stdout}${this.stderr}`;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  disconnect(): void {
    this.child.disconnect();
  }

  /** The printed words in order; log lines by their message. */
  get story(): string[] {
    return this.stdout
      .trim()
      .split('\n')
      .map((line) => (line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line));
  }
}

const run = (behaviour: string, ipc = false) => new Living({ STORE_URL, BEHAVIOUR: behaviour }, ipc);

describe('the life of a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('runs the steps of its stop on %s, last first', async (signal) => {
    const living = await run('serve').said('started');
    living.signal(signal);
    expect(await living.ended()).toBe(0);
    expect(living.story).toEqual(['serving', 'started', 'stopping', 'draining', 'store-closed', 'stopped']);
  });

  it('ends at once on a second signal', async () => {
    const living = await run('slow-stop').said('started');
    living.signal('SIGTERM');
    await living.said('draining');
    living.signal('SIGTERM');
    expect(await living.ended()).toBe(1);
    expect(living.story).not.toContain('store-closed');
  });

  it('continues the stop when a step fails, and then exits with code 1', async () => {
    const living = await run('broken-stop').said('started');
    living.signal('SIGTERM');
    expect(await living.ended()).toBe(1);
    expect(living.story).toContain('a step of stopping failed');
    expect(living.story).toContain('store-closed');
  });

  it('ends with the launcher that forked it', async () => {
    const living = await run('serve', true).said('started');
    living.disconnect();
    expect(await living.ended()).toBe(0);
  });

  it('ends with a logged line and exit code 1 on an uncaught error', async () => {
    const living = run('uncaught');
    expect(await living.ended()).toBe(1);
    expect(living.stdout).toContain('nobody caught this');
    expect(living.story).toContain('uncaught error');
  });

  it('shows a defect of the start with its stack, and runs the registered steps', async () => {
    const living = run('broken-start');
    expect(await living.ended()).toBe(1);
    expect(living.story).toEqual(['could not start', 'store-closed']);
    expect(living.stdout).toMatch(/a defect\\n +at /);
  });
});

describe('a process that cannot start', () => {
  it.each([
    [
      'LOG_LEVEL',
      { STORE_URL, LOG_LEVEL: 'loud' },
      /^living: Wrong settings\. LOG_LEVEL: must be one of .*\n$/,
    ],
    [
      'OPERATIONS_PORT',
      { STORE_URL, OPERATIONS_PORT: '99999' },
      /^living: .*OPERATIONS_PORT: must be a port number\n$/,
    ],
    ['a missing STORE_URL', {}, /^living: Wrong settings\. STORE_URL: is not set\n$/],
    ['a malformed STORE_URL', { STORE_URL: '//w0rd' }, /^living: Wrong settings\. STORE_URL: .*\n$/],
    [
      'an unreachable STORE_URL',
      { STORE_URL, BEHAVIOUR: 'unreachable' },
      /^living: STORE_URL: postgres:\/\/pulso:\*\*\*@db:5432\/pulso cannot be used: connect ECONNREFUSED .*\n$/,
    ],
    [
      'settings that contradict each other',
      { STORE_URL, BEHAVIOUR: 'contradiction' },
      /^living: STORE_PASSWORD: is not set, but the user is\n$/,
    ],
  ])('reports %s in one line, without secrets', async (_what, env, line) => {
    const living = new Living(env);
    expect(await living.ended()).toBe(1);
    expect(living.stderr).toMatch(line);
    expect(living.stdout + living.stderr).not.toMatch(/w0rd|hush|loud|99999/);
  });
});
