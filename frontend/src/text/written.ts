/** Line ends as other programs have them: of Windows, of Word within a paragraph (VT), between the pages of a PDF (FF). */
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
/** What else is seen nowhere and no text may have (HTTP-11), such as what a terminal gives beside its letters. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;
/** They come with what is copied from a page or a PDF, and a line of one word has no use for them. */
const SOFT_HYPHENS = /\u00ad/g;

/** A text in the form that the server stores, but for the white space around it. */
export const cleaned = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(CONTROL, '').normalize('NFC');

/** What somebody wrote in a field of several lines, as it is sent and counted (HTTP-11). */
export const written = (text: string): string => cleaned(text).trim();

/** What somebody wrote in a field of one line: a run of white space, tabs of a table too, is one blank. */
export const writtenLine = (text: string): string =>
  cleaned(text.replace(SOFT_HYPHENS, '')).replace(/\s+/gu, ' ').trim();
