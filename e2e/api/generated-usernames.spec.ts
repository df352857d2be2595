import { readFileSync } from 'node:fs';

/** Both as text: no other package may import the frontend's code, and the frontend none of the server's. */
function transliteratedIn(file: string): string[] {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [, table = ''] = /TRANSLITERATED: Record<string, string> = \{([^}]*)\}/.exec(source) ?? [];
  return Array.from(
    table.matchAll(/(\S+): '(\w+)'/g),
    ([, letter, latin]) => `${letter} ${latin}`,
  ).toSorted();
}

// Rule: PEOPLE-7
it('the username that a form suggests has the letters that identity would write', () => {
  const server = transliteratedIn('services/platform/src/text/comparison-key.ts');
  expect(server).toContain('ß ss');
  expect(transliteratedIn('frontend/src/validation/account.ts')).toEqual(server);
});
