const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Marks pile up on a letter without end. The longest emoji have 10 code points, some 20 UTF-16 code units. */
const MAX_UNITS_PER_CHARACTER = 20;

/**
 * The first `most` characters of a text, as they are seen, and "…" where there are more: a letter with its marks, a flag or a
 * family is never cut in two.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  let count = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    count += 1;
    if (count > most || index + segment.length > most * MAX_UNITS_PER_CHARACTER)
      return `${text.slice(0, index).trimEnd()}…`;
  }
  return text;
}
