import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractsBase, git } from './contracts-base.mjs';
import { breaksOf } from './openapi-breaks.mjs';
import { fail, root } from './prepare.mjs';

// `npm run openapi` writes docs/openapi.json from the built gateway. With --check it writes nothing, and fails when
// the file does not match the code, or when it breaks the clients of the base (`contractsBase`).
const FILE = 'docs/openapi.json';

const { buildDocument } = await import('@pulso/gateway/build-document');
const document = JSON.parse(JSON.stringify(await buildDocument()));
const text = `${JSON.stringify(document, null, 2)}\n`;

if (process.argv.includes('--check')) check();
else writeFileSync(join(root, FILE), text);
process.exit(0);

function check() {
  if (readFileSync(join(root, FILE), 'utf8') !== text) {
    fail(`${FILE} does not match the code. Run: npm run openapi`);
  }
  const base = contractsBase();
  const { status, stdout, stderr } = git('show', `${base}:${FILE}`);
  if (status !== 0) fail(`${FILE} of ${base} cannot be read: ${stderr.trim()}`);
  const breaks = breaksOf(JSON.parse(stdout), document);
  if (breaks.length > 0) fail(`The HTTP API breaks its clients:\n${breaks.join('\n')}`);
}
