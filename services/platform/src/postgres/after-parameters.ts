import type { Slice } from '../paging/list-page.js';
import { NIL_ID } from '../ids/uuid-v7.js';

/** SQL parameters of a slice: `$n::timestamptz` and `$n+1::uuid`. `infinity` starts at the first item. */
export function afterParameters({ after }: Slice): [Date | string, string] {
  return after ? [new Date(after.createdAt), after.id] : ['infinity', NIL_ID];
}
