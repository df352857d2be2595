import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf, git } from './check-proto-breaking.mjs';
import { breaksOf } from './openapi-breaks.mjs';
import { fail, root } from './prepare.mjs';

// `npm run openapi` writes docs/openapi.json from the built gateway. With --check it writes nothing, and fails where the
// file is not what the code says, or where a client written for the file of the base commit would fail.
const FILE = 'docs/openapi.json';

const { buildDocument } = await import('@pulso/gateway/build-document');
const document = JSON.parse(JSON.stringify(await buildDocument()));
const text = `${JSON.stringify(document, null, 2)}\n`;

if (process.argv.includes('--check')) check();
else writeFileSync(join(root, FILE), text);
process.exit(0);

function check() {
  if (readFileSync(join(root, FILE), 'utf8') !== text) {
    fail(`${FILE} is not what the code says. Run: npm run openapi`);
  }
  const base = baseOf(FILE);
  if (!base) return console.log('The OpenAPI document has nothing to be compared with');
  const breaks = breaksOf(JSON.parse(git('show', `${base}:${FILE}`).stdout), document);
  if (breaks.length > 0) fail(`The HTTP API breaks its clients:\n${breaks.join('\n')}`);
}
