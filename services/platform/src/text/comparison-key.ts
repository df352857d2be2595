import { inForm } from './text-rules.js';

/** What nobody sees: soft hyphens, joiners, selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const WHITE_SPACE = /\p{White_Space}+/gu;
/**
 * Combining characters that a search ignores: accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic
 * letters, the voicing marks of kana. Vowel signs of Indic and Thai scripts act as letters and are kept.
 */
const ACCENTS =
  /[\u0300-\u036f]|[\u0483-\u0487]|[\u0591-\u05bd]|\u05bf|\u05c1|\u05c2|\u05c4|\u05c5|\u05c7|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|\u3099|\u309a|[\ufe20-\ufe2f]/gu;

/**
 * Letters that are no letter of a–z with a mark, as they are written without them; lower-case. Those of the frontend's
 * account.ts; e2e/api/generated-usernames.spec.ts compares them.
 */
const TRANSLITERATED: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ŋ: 'ng',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ŧ: 't',
};
const NOT_ASCII = /[^\0-\x7f]/g;
const FOLDED_FURTHER: Record<string, string> = { ß: 'ss', ς: 'σ', ı: 'i', 'i\u0307': 'i' };

/**
 * The same for texts that two people write for the same: whatever the way to write a letter, its case, its width, and the
 * invisible characters between letters. Accents count. Not to be shown. identity's `comparison_key` computes the same in
 * PostgreSQL.
 */
export function comparisonKey(text: string): string {
  const lower = inForm('NFKC', text).replace(INVISIBLE, '').toLowerCase();
  // Lower case keeps apart what has one upper case: ß and SS, the two forms of σ, the two forms of i.
  const folded = lower.replace(/ß|ς|ı|i\u0307/g, (letter) => FOLDED_FURTHER[letter]!);
  return inForm('NFKC', folded).replace(WHITE_SPACE, ' ').trim();
}

/**
 * What a search compares: a text is found by each of its parts, without regard to case, accents and invisible characters, and by
 * a–z for letters that are related to these. identity's `fold_text` computes the same in PostgreSQL.
 */
export function searchKey(text: string): string {
  const bare = inForm('NFKD', text).replace(ACCENTS, '').replace(INVISIBLE, '').toLowerCase();
  return inLatin(bare)
    .replaceAll('ς', 'σ')
    .replace(/[\t ]+/g, ' ');
}

/** Without accents, lower-cased, and in a–z as far as the letters are Latin; other letters stay. */
export function transliterated(text: string): string {
  return inLatin(inForm('NFKD', text).replace(/\p{M}/gu, '').toLowerCase());
}

/** Without empty ones and repeats: of the texts that have one comparison key the first. */
export function withoutRepeats(texts: Iterable<string>): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = comparisonKey(text);
    if (key !== '' && !byKey.has(key)) byKey.set(key, text);
  }
  return [...byKey.values()];
}

/** The order of texts in lists that people read. */
export const alphabetical = new Intl.Collator('en').compare;

const inLatin = (text: string): string =>
  text.replace(NOT_ASCII, (letter) => TRANSLITERATED[letter] ?? letter);
