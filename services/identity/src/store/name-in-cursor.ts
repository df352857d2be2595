import { codePointLength } from '@pulso/platform/text/text-rules';
import type { Parameters } from './coach-search.js';

/** Where a list that is sorted by folded name, then by id, goes on. */
export interface NamePlace {
  /** The folded name, or the beginning of one that is too long for a cursor. */
  foldedName: string;
  id: string;
}

/**
 * A cursor has at most this many code points of a folded name. One character of a name may fold to 18: with all of such a name a
 * cursor would be longer than the API takes (HTTP-6). Names without such characters are never longer than this.
 */
const MAX_NAME_IN_CURSOR = 250;

/** The part of a folded name that a cursor has. */
export const nameInCursor = (foldedName: string): string =>
  codePointLength(foldedName) <= MAX_NAME_IN_CURSOR
    ? foldedName
    : [...foldedName].slice(0, MAX_NAME_IN_CURSOR).join('');

/**
 * SQL: the folded name after which the list goes on; read from the row if the cursor has only a part of it. If that user has
 * another name by now, the list goes on at the part that the cursor has: it repeats some people and skips nobody.
 */
export function nameAfter({ foldedName, id }: NamePlace, parameters: Parameters): string {
  const held = parameters.add(foldedName, 'text');
  if (codePointLength(foldedName) < MAX_NAME_IN_CURSOR) return held;
  const user = parameters.add(id, 'uuid');
  return `coalesce((SELECT folded_name FROM users WHERE id = ${user} AND starts_with(folded_name, ${held})), ${held})`;
}
