/** Reduces several blank lines to one, so that a post cannot push others off the screen. */
export const collapseBlankLines = (text: string): string => text.replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');
