import type { Slice } from '../paging/list-page.js';

const NIL = '00000000-0000-0000-0000-000000000000';

/** SQL parameters of a slice: `$n::timestamptz` and `$n+1::uuid`. `infinity` starts at the first item. */
export function afterParameters({ after }: Slice): [Date | string, string] {
  return after ? [new Date(after.createdAt), after.id] : ['infinity', NIL];
}
