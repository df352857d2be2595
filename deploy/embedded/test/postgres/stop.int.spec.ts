import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestEnd } from '@pulso/platform/testing/on-test-end';
import { until } from '@pulso/platform/testing/until';
import { endWithThisTest } from '../child-process.js';

/** A whole program: start PostgreSQL, stop it, nothing else that keeps the process running. */
const PROGRAM = `
  const { startPostgres } = await import(process.argv[1]);
  const server = await startPostgres({ directory: process.argv[2], password: 'secret', durable: false });
  await server.stop();
  console.log('stopped');
`;

describe('stopping PostgreSQL', () => {
  it('completes in a process that does nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pulso-stop-'));
    onTestEnd(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const built = new URL('../../dist/postgres/postgres-server.js', import.meta.url).href;
    const program = spawn(
      process.execPath,
      ['--input-type=module', '-e', PROGRAM, built, join(folder, 'postgres')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    endWithThisTest(program);
    let output = '';
    program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    let closed = false;
    program.once('close', () => (closed = true));
    await until(() => closed, {
      what: 'the end of the program, which starts a new PostgreSQL',
      limit: 150_000,
    });
    expect({ code: program.exitCode, output }).toEqual({ code: 0, output: 'stopped\n' });
  }, 180_000);
});
