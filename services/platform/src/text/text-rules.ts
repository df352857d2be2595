/** The rules of a text field (HTTP-11). */
export interface TextRule {
  /** The maximum length of the canonical form, in code points. */
  max: number;
  /**
   * Whether line breaks are allowed inside, and tabs and runs of blanks stay. A text of one line has one blank for each run
   * of them, and no soft hyphens, which come with texts that are copied from other programs.
   */
  multiline: boolean;
  /** Whether joiners (emoji, Persian) and other invisible characters are allowed; false if look-alikes could deceive. */
  joiners: boolean;
}

export interface TextProblem {
  code: 'lone-surrogate' | 'control-character' | 'format-character' | 'too-long';
  message: string;
}

export type CleanText = { value: string; problem?: undefined } | { value?: undefined; problem: TextProblem };

// With the u flag, only lone surrogates match.
const LONE_SURROGATE = /\p{Surrogate}/u;
const CONTROL = /(?![\n\t])\p{Cc}/u;
/** What ends a line, and every other control character. */
const LINE_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_ENDS = /\r\n|[\u2028\u2029]/gu;
const BLANKS = /[\t\p{Zs}]+/gu;
const SOFT_HYPHEN = '\u00ad';
/** Without the selectors that choose between the forms of an emoji or a letter. U+2800 is a symbol, but invisible. */
const INVISIBLE =
  /[\p{Cf}\u2800]|(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f])\p{Default_Ignorable_Code_Point}/u;
const BLANK = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/** The same, and marks that stand on no character, such as accents alone: nobody could read or press them. */
const NOTHING_TO_SEE = /^[\p{M}\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/**
 * Up to 500 marks and what they stand on. Marks in a row are put in order, which takes the square of their number. The voicing
 * signs of half-width kana are marks in the forms for comparison.
 */
const PIECE = /[^\p{M}\uff9e\uff9f]*[\p{M}\uff9e\uff9f]{1,500}|[^\p{M}\uff9e\uff9f]+/gu;
/** The most code units that are equivalent to one code point of a canonical form. */
const UNITS_OF_A_CODE_POINT = 4;

/**
 * The one form in which letters are stored, counted and compared: keyboards and systems write the same letter in different
 * ways (é as one code point or as two).
 */
export function canonical(text: string): string {
  return inForm('NFC', text);
}

/** Like `String.prototype.normalize`, in time that grows with the length of the text alone, also where thousands of marks pile up. */
export function inForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  return text.replace(PIECE, (piece) => piece.normalize(form));
}

/**
 * `input` in the form that is stored, with the same result for every way to write the same letters: trimmed, canonical, each
 * line end a line feed (foreign clients send CRLF), of one line as its rule says. If it has no letter, number,
 * punctuation or symbol that can be seen, the result is `''`: the caller decides whether a field may be empty.
 */
export function cleanText(input: string, rule: TextRule): CleanText {
  const given = rule.multiline ? input.trim() : oneLine(input);
  if (isFarTooLong(given, rule.max)) return tooLong(rule.max);
  const text = rule.multiline ? canonical(given).replace(LINE_ENDS, '\n') : given;
  if (isLongerThan(text, rule.max)) return tooLong(rule.max);
  if (LONE_SURROGATE.test(text)) return loneSurrogate();
  if ((rule.multiline ? CONTROL : LINE_CONTROL).test(text)) return controlCharacter();
  if (NOTHING_TO_SEE.test(text)) return { value: '' };
  if (!rule.joiners && INVISIBLE.test(text)) {
    return problem('format-character', 'Contains invisible characters');
  }
  return { value: text };
}

/** The form in which passwords are judged and hashed: also a letter of another width, or a ligature, is the same letter (ACCT-8). */
export const passwordForm = (password: string): string => inForm('NFKC', password);

/**
 * A password with canonical letters, neither trimmed nor changed otherwise. `max` is in code points, of the form in which passwords
 * are judged or of this one: one of before may be longer in the other.
 */
export function cleanPassword(input: string, max: number): CleanText {
  if (isFarTooLong(input, max)) return tooLong(max);
  const password = canonical(input);
  if (isLongerThan(password, max) && isLongerThan(passwordForm(password), max)) return tooLong(max);
  if (LONE_SURROGATE.test(password)) return loneSurrogate();
  return LINE_CONTROL.test(password) ? controlCharacter() : { value: password };
}

/** Whether the text has no visible characters: only white space, control, format or other invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** The number of code points, in which every limit on text is counted. A lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += text.codePointAt(index)! > 0xffff ? 2 : 1) length += 1;
  return length;
}

/** In any form, by its length alone: a look at each character of 1 MiB takes 0.2 s. */
const isFarTooLong = (text: string, max: number): boolean => text.length > UNITS_OF_A_CODE_POINT * max;

// Soft hyphens go first: one between a letter and its accent would keep the two apart.
const oneLine = (text: string): string =>
  canonical(text.replaceAll(SOFT_HYPHEN, '')).replace(BLANKS, ' ').trim();

function isLongerThan(text: string, max: number): boolean {
  return text.length > max && codePointLength(text) > max;
}

const loneSurrogate = (): CleanText =>
  problem('lone-surrogate', 'Contains characters that are not valid text');

const controlCharacter = (): CleanText => problem('control-character', 'Contains control characters');

const tooLong = (max: number): CleanText => problem('too-long', `Must be at most ${max} characters`);

function problem(code: TextProblem['code'], message: string): CleanText {
  return { problem: { code, message } };
}
