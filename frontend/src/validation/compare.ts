import { inLatin } from './account.js';

// Both keys are computed as the server does (services/platform/src/text/comparison-key.ts); neither is to be shown.

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const WHITE_SPACE = /\p{White_Space}+/gu;
/** Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic ones, voicing marks of kana; no vowel signs. */
const ACCENTS = new RegExp(
  String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]`,
  'gu',
);
/** Lower case keeps these apart, though they have one upper case. */
const FOLDED_FURTHER: Record<string, string> = { ß: 'ss', ς: 'σ', ı: 'i', 'i\u0307': 'i' };

function comparisonKey(text: string): string {
  const lower = text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  const folded = lower.replace(/ß|ς|ı|i\u0307/g, (letter) => FOLDED_FURTHER[letter]!);
  return folded.normalize('NFKC').replace(WHITE_SPACE, ' ').trim();
}

/** What a search compares: without regard to case, accents and width (PEOPLE-14). */
export function searchKey(text: string): string {
  const bare = text.normalize('NFKD').replace(ACCENTS, '').replace(INVISIBLE, '').toLowerCase();
  return inLatin(bare)
    .replaceAll('ς', 'σ')
    .replace(/[\t ]+/g, ' ');
}

/** Whether two tags are one: whatever the case, the width, and the way a keyboard composes accents, which count (PEOPLE-11). */
export const isSameTag = (one: string, other: string): boolean => comparisonKey(one) === comparisonKey(other);

/** Whether a search for `query` finds `text`. */
export const isFoundIn = (text: string, query: string): boolean =>
  searchKey(text).includes(searchKey(query).trim());
