import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A whole program: start PostgreSQL, stop it, nothing else that keeps the process running. */
const PROGRAM = `
  const { startPostgres } = await import(process.argv[1]);
  const server = await startPostgres({ directory: process.argv[2], password: 'secret', durable: false });
  await server.stop();
  console.log('stopped');
`;

describe('stopping PostgreSQL', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pulso-stop-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('completes in a process that does nothing else', async () => {
    const built = new URL('../../dist/postgres/postgres-server.js', import.meta.url).href;
    const program = spawn(
      process.execPath,
      ['--input-type=module', '-e', PROGRAM, built, join(folder, 'postgres')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(program, 'close')) as [number | null];
    expect({ code, output }).toEqual({ code: 0, output: 'stopped\n' });
  }, 180_000);
});
