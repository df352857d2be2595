import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Brings the frontend's types of the HTTP API (`src/api/schema.d.ts`) up to date with the compiled gateway. */
export async function refreshClientTypes(root) {
  const document = join(root, 'frontend/openapi.json');
  const read = () => (existsSync(document) ? readFileSync(document, 'utf8') : '');
  const before = read();
  try {
    await run('npm', ['run', 'openapi', '--silent'], { cwd: join(root, 'gateway') });
    if (read() === before) return;
    await run('npm', ['run', 'generate', '--silent'], { cwd: join(root, 'frontend') });
    console.log('The frontend has new types of the API.');
  } catch (error) {
    console.error(`The frontend's types of the API could not be made: ${error.stderr || error.message}`);
  }
}
