import type { Texts } from '../i18n/texts.js';

const BLANK = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Only white space, control, format and other invisible characters; the server has the same rule. */
export const isBlank = (text: string): boolean => BLANK.test(text);

const WITHOUT_BASE = /^[\p{M}\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Like `isBlank`, or only marks that stand on no character. The server refuses these as names. */
export const hasNoBase = (text: string): boolean => WITHOUT_BASE.test(text);

/** Contains format characters, which join emoji and make look-alikes. The server refuses them in names. */
export const hasInvisible = (text: string): boolean => /\p{Cf}/u.test(text.trim());

/** Length of the trimmed text in code points, as the limits count it. */
export const codePoints = (text: string): number => [...text.trim()].length;

/** What to say about a text of more than `longest` code points. */
export const lengthError = (
  field: string,
  text: string,
  longest: number,
  { validation }: Texts,
): string | undefined => (codePoints(text) > longest ? validation.tooLong(field, longest) : undefined);
