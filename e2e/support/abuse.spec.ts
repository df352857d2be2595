import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { tablesOf } from '../../tools/kubernetes/readme.mjs';

const root = join(fileURLToPath(import.meta.url), '../../..');
/** `file`: the words of a test; the words of another test of the same file; `file`: … */
const TEST = /^(?:`([^`]+)`: )?(.+)$/;

interface Shown {
  title: string;
  file: string | undefined;
  words: string;
}

/** The tests that the tables name, by the case. */
function shownBy(text: string): Shown[] {
  return tablesOf(text).flatMap(({ head, rows }) =>
    rows.flatMap(([title = '', ...cells]) => {
      let file: string | undefined;
      return cells[head.indexOf('shown by') - 1]!.split('; ').map((part) => {
        const [, named, words = ''] = TEST.exec(part) ?? [];
        file = named ?? file;
        return { title, file, words };
      });
    }),
  );
}

/** Whether a file has a test with these words in its title. */
const hasTest = (path: string, words: string): boolean =>
  readFileSync(path, 'utf8')
    .split('\n')
    .some((line) => line.includes(words) && /^\s*(?:it\b|\]\)\(|')/.test(line));

describe('docs/abuse.md', () => {
  const shown = shownBy(readFileSync(join(root, 'docs/abuse.md'), 'utf8'));

  it('names for each case a test that exists', () => {
    const missing = shown.filter(
      ({ file, words }) =>
        file === undefined || !existsSync(join(root, file)) || !hasTest(join(root, file), words),
    );
    expect(missing).toEqual([]);
    expect(new Set(shown.map(({ title }) => title)).size).toBeGreaterThan(40);
  });

  it('is found out where a test is renamed', () => {
    const [one] = shownBy(
      '| case | what happens | shown by |\n| --- | --- | --- |\n| a | b | `gateway/test/stripe.spec.ts`: was renamed |',
    );
    expect(one).toEqual({ title: 'a', file: 'gateway/test/stripe.spec.ts', words: 'was renamed' });
    expect(hasTest(join(root, one!.file!), one!.words)).toBe(false);
  });
});
