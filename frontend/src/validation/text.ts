import type { Texts } from '../i18n/texts.js';
import { written, writtenLine } from '../text/written.js';

const BLANK = /^[\p{M}\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Nothing that can be seen: only white space, control, format and other invisible characters, and marks on no character; the server has the same rule. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/** But for the selectors that choose between the forms of an emoji or a letter. */
const INVISIBLE =
  /[\p{Cf}\u2800]|(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f])\p{Default_Ignorable_Code_Point}/u;

/** Contains what joins emoji or is not seen, which makes look-alikes. The server refuses it in names. */
export const hasInvisible = (text: string): boolean => INVISIBLE.test(writtenLine(text));

/** Length of a text in code points, as it is sent and as the server counts it. */
export const codePoints = (text: string): number => [...written(text)].length;

/** What to say about a text of more than `longest` code points (UI-48). */
export const lengthError = (
  field: string,
  text: string,
  longest: number,
  { validation }: Texts,
): string | undefined => (codePoints(text) > longest ? validation.tooLong(field, longest) : undefined);
