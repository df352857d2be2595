/** What ends the direction that each control begins: embeddings and overrides, then isolates. */
const ENDS: Readonly<Record<string, string>> = {
  '\u202a': '\u202c',
  '\u202b': '\u202c',
  '\u202d': '\u202c',
  '\u202e': '\u202c',
  '\u2066': '\u2069',
  '\u2067': '\u2069',
  '\u2068': '\u2069',
};

/**
 * The text without those controls of direction that have no partner in it: it turns nothing around that stands behind it on the
 * same line, such as the rest of a window's title, which no element can keep apart (HTTP-27).
 */
export function closedDirections(text: string): string {
  const characters = text.split('');
  /** Where controls stand that have not ended, the innermost last. */
  const open: number[] = [];
  characters.forEach((character, index) => {
    const begin = open.at(-1);
    if (ENDS[character]) open.push(index);
    else if (character !== '\u202c' && character !== '\u2069') return;
    else if (begin !== undefined && ENDS[characters[begin]!] === character) open.pop();
    else characters[index] = '';
  });
  for (const index of open) characters[index] = '';
  return characters.join('');
}
