const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/u;
const POP_EMBEDDING = '\u202c';
const POP_ISOLATE = '\u2069';
/** What ends the direction that each control begins: embeddings and overrides, then isolates. */
const ENDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['\u202a', '\u202b', '\u202d', '\u202e'].map((begin) => [begin, POP_EMBEDDING])),
  ...Object.fromEntries(['\u2066', '\u2067', '\u2068'].map((begin) => [begin, POP_ISOLATE])),
};

/**
 * The text without those controls of direction that have no partner in it, so that it turns nothing around that is put
 * behind it on the same line. Those that enclose a part of it stay: languages that are written from the right need them.
 */
export function closedDirections(text: string): string {
  if (!CONTROLS.test(text)) return text;
  const characters = text.split('');
  /** Where controls stand that have not ended, the innermost last. */
  const open: number[] = [];
  characters.forEach((character, index) => {
    if (character in ENDS) open.push(index);
    else if (character === POP_EMBEDDING || character === POP_ISOLATE) {
      const begin = open.at(-1);
      if (begin !== undefined && ENDS[characters[begin]!] === character) open.pop();
      else characters[index] = '';
    }
  });
  for (const index of open) characters[index] = '';
  return characters.join('');
}
