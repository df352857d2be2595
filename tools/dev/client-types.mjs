import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Updates the frontend's types of the HTTP API (`src/api/schema.d.ts`) from the compiled gateway. */
export async function refreshClientTypes(root) {
  const document = join(root, 'frontend/openapi.json');
  const read = () => (existsSync(document) ? readFileSync(document, 'utf8') : '');
  const before = read();
  try {
    await run('npm', ['run', 'openapi', '--silent'], { cwd: join(root, 'gateway') });
    if (read() === before) return;
    await run('npm', ['run', 'generate', '--silent'], { cwd: join(root, 'frontend') });
    console.log('Updated the API types of the frontend.');
  } catch (error) {
    console.error(`Could not generate the API types of the frontend: ${error.stderr || error.message}`);
  }
}
