import { codePointLength } from './text-rules.js';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('und', { granularity: 'word' });
/** Scripts that put no blank between words, and emojis, each of which is a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** The graphemes of a text, what readers take for its characters, each with the index in code units where it begins. */
export function graphemesOf(text: string): Iterable<{ segment: string; index: number }> {
  return segmenter.segment(text);
}

/** The beginning of a text: at most `max` code points, and no part of a grapheme. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  let length = 0;
  // A segmenter copies its text, which may be long. This part has the code points up to the first one that is too many.
  for (const { segment, index } of graphemesOf(text.slice(0, 2 * max + 2))) {
    length += codePointLength(segment);
    if (length > max) return text.slice(0, index);
  }
  return text;
}

/**
 * The last index up to `end` that is not within a word, or `end` where no other word comes before. Texts without blanks
 * between words are cut where a dictionary sees words.
 */
export function wordBoundary(text: string, end: number): number {
  if (end <= 0 || end >= text.length || /\s/.test(text[end]!)) return end;
  const run = /\S*$/u.exec(text.slice(0, end))![0];
  if (!UNSPACED.test(run)) return run.length < end ? end - run.length : end;
  const { index, isWordLike } = words.segment(text).containing(end)!;
  return isWordLike && index > 0 ? index : end;
}
