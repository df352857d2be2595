/** Control characters, terminals' escapes among them, line ends, and what changes the direction of the text around it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * A line as a terminal may show it: what would move its cursor, colour it, end it or turn its direction is written as an
 * escape, `\u202e`. Users' texts are among the output of commands (PEOPLE-43). JSON stays the same
 * JSON.
 */
export const visible = (line: string): string =>
  line.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
