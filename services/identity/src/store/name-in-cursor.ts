import { codePointLength } from '@pulso/platform/text/text-rules';
import type { Parameters } from './coach-search.js';

/** Where a list that is sorted by folded name, then by id, goes on. */
export interface NamePlace {
  /** The folded name, or the beginning of one that is too long for a cursor. */
  foldedName: string;
  id: string;
}

/**
 * So many code points of a folded name stand in a cursor. One character of a name may fold to 18, and with the whole of such a
 * name a cursor would be longer than the API takes (HTTP-6). No name without such characters is longer than this.
 */
const KEPT = 250;

/** What a cursor holds of a folded name. */
export const nameInCursor = (foldedName: string): string =>
  codePointLength(foldedName) <= KEPT ? foldedName : [...foldedName].slice(0, KEPT).join('');

/**
 * SQL: the folded name after which the list goes on. Of a name that the cursor does not hold whole it is read from the row. If
 * that user has another name by now, the list goes on at the part that the cursor holds: it repeats some, and skips nobody.
 */
export function nameAfter({ foldedName, id }: NamePlace, parameters: Parameters): string {
  const held = parameters.add(foldedName, 'text');
  if (codePointLength(foldedName) < KEPT) return held;
  const user = parameters.add(id, 'uuid');
  return `coalesce((SELECT folded_name FROM users WHERE id = ${user} AND starts_with(folded_name, ${held})), ${held})`;
}
