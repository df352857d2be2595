import { writeFileSync } from 'node:fs';
import { buildDocument } from './build-document.js';

// Called as `node dist/write-openapi.js <file>`: needs no service and no settings.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: write-openapi <file>');
writeFileSync(file, `${JSON.stringify(await buildDocument(), null, 2)}\n`);
