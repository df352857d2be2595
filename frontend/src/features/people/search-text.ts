import { LIMITS } from '../../api/limits.js';

/** What a search ignores or cannot find by itself: accents, invisible characters and white space. */
const NO_LETTERS = /[\p{M}\p{Cf}\s]/gu;

/** The text that a people search looks for: without the @ that usernames are written with. */
export const searchText = (typed: string): string => typed.trim().replace(/^@\s*/, '');

/** Whether the text has as many letters as the server asks for (PEOPLE-17). */
export const isSearchable = (text: string): boolean =>
  [...text.normalize('NFC').replace(NO_LETTERS, '')].length >= LIMITS.peopleSearchLength;
