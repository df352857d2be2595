import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../..');

it('the name of a key is given in one file only, and written out', () => {
  const filesOf = new Map<string, Set<string>>();
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.spec\./.test(file)) continue;
    for (const [, name = 'none'] of readFileSync(join(SOURCE, file), 'utf8').matchAll(
      /\bqueryKey\((?:'([\w-]+)')?/g,
    ))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  }
  expect(filesOf.get('profiles')).toEqual(new Set(['server/queries/query-keys.ts']));
  expect([...filesOf].filter(([name, files]) => name === 'none' || files.size > 1)).toEqual([]);
});
