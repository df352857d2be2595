import { appendFileSync } from 'node:fs';
import { it } from '@jest/globals';
import { countedFiles } from '../counter.js';

it('counts from one, as a new process does', () => {
  appendFileSync(process.env.FOUND!, `${JSON.stringify({ files: countedFiles() })}\n`);
});
