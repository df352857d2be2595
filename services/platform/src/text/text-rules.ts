/** The rules of a text field (HTTP-11). */
export interface TextRule {
  /** The maximum length after trimming, in code points. */
  max: number;
  /** Whether line breaks and tabs are allowed inside. */
  multiline: boolean;
  /** Whether joiners (emoji, Persian) and other format characters are allowed; false if look-alikes could deceive. */
  joiners: boolean;
  /** Whether marks that stand on no character, such as accents alone, are empty: nobody could read or press them. */
  needsBase?: boolean;
}

export interface TextProblem {
  code: 'lone-surrogate' | 'control-character' | 'format-character' | 'too-long';
  message: string;
}

export type CleanText = { value: string; problem?: undefined } | { value?: undefined; problem: TextProblem };

// With the u flag, only lone surrogates match.
const LONE_SURROGATE = /\p{Surrogate}/u;
const CONTROL = /(?![\n\t])\p{Cc}/u;
const LINE_LAYOUT = /[\n\t\p{Zl}\p{Zp}]/u;
const FORMAT = /\p{Cf}/u;
// U+2800 has the category of a symbol, but it is invisible.
const BLANK = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const WITHOUT_BASE = /^[\p{M}\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * Trims `input` and checks it. If it has only white space, control and format characters, the result is `''`: the caller
 * decides whether a field may be empty. CRLF becomes LF, because foreign clients send CRLF for a line break.
 */
export function cleanText(input: string, rule: TextRule): CleanText {
  const trimmed = input.trim();
  // Two code units make at most one counted character. First, because a look at each character of 1 MiB takes 0.2 s.
  if (trimmed.length > 2 * rule.max) return tooLong(rule);
  if (LONE_SURROGATE.test(trimmed))
    return problem('lone-surrogate', 'Contains characters that are not valid text');
  const text = trimmed.replaceAll('\r\n', '\n');
  if (CONTROL.test(text) || (!rule.multiline && LINE_LAYOUT.test(text))) {
    return problem('control-character', 'Contains control characters');
  }
  if ((rule.needsBase ? WITHOUT_BASE : BLANK).test(text)) return { value: '' };
  if (!rule.joiners && FORMAT.test(text)) return problem('format-character', 'Contains invisible characters');
  if (isLongerThan(text, rule.max)) return tooLong(rule);
  return { value: text };
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

function isLongerThan(text: string, max: number): boolean {
  return text.length > max && codePointLength(text) > max;
}

function tooLong({ max }: TextRule): CleanText {
  return problem('too-long', `Must be at most ${max} characters`);
}

function problem(code: TextProblem['code'], message: string): CleanText {
  return { problem: { code, message } };
}
