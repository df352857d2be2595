import { LIMITS } from '../../api/limits.js';
import { searchKey } from '../../validation/compare.js';
import { writtenLine } from '../../text/written.js';
import { codePoints } from '../../validation/text.js';

/** The text that a people search looks for: without the @ that usernames are written with. */
export const searchText = (typed: string): string => writtenLine(typed).replace(/^@\s*/, '');

/** Whether the text has as many letters as the server asks for (PEOPLE-17), and no more than it takes. */
export const isSearchable = (text: string): boolean =>
  [...searchKey(text).normalize('NFC').replace(/\s/g, '')].length >= LIMITS.peopleSearchLength &&
  codePoints(text) <= LIMITS.searchLength;
