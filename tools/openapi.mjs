import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf, git } from './check-proto-breaking.mjs';
import { breaksOf } from './openapi-breaks.mjs';
import { fail, root } from './prepare.mjs';

// `npm run openapi` writes docs/openapi.json from the built gateway. With --check it writes nothing, and fails when
// the file does not match the code, or when the changes since the base commit break clients.
const FILE = 'docs/openapi.json';

/** Breaks that were decided, with their rule: they break no client that works. To be emptied when the base has them. */
const DECIDED = [
  // HTTP-32: was always null.
  /^GET \/api\/auth\/sessions responses.200\S*\.(properties\.nextCursor|required\.1): removed$/,
  // HTTP-6: the shape of a cursor. Another one was refused before, too.
  /^GET \S+ parameters\.[12]\.schema\.(minLength|maxLength|pattern): added$/,
  // ACCT-4, PEOPLE-10: the document now says what was refused before, too.
  /^(PATCH|POST) \S+ requestBody\S+\.properties\.(email|username)\.pattern: added$/,
];

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
  const base = baseOf(FILE);
  if (!base)
    return console.log(
      'The OpenAPI document was not checked for breaking changes: there is no commit to compare with',
    );
  const changes = breaksOf(JSON.parse(git('show', `${base}:${FILE}`).stdout), document);
  const breaks = changes.filter((line) => !DECIDED.some((decided) => decided.test(line)));
  if (breaks.length > 0) fail(`The HTTP API breaks its clients:\n${breaks.join('\n')}`);
}
