/** Several blank lines in a row become one: they would push what others wrote off the screen. */
export const collapseBlankLines = (text: string): string => text.replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');
