import type { Books } from '../books.js';
import type { Listed } from './endpoint.js';
import { expanded } from './encode.js';
import type { Range } from './parameters.js';
import { invalid, missing } from './stripe-error.js';

/** One page of a list as Stripe answers it: the newest object first. */
export function page({ items, paging }: Listed, url: string, paths: readonly string[], books: Books): object {
  const { limit = 10, starting_after: startingAfter, ending_before: endingBefore, created } = paging;
  if (startingAfter !== undefined && endingBefore !== undefined)
    throw invalid('You may only specify one of these parameters: starting_after, ending_before.', {
      code: 'parameters_exclusive',
    });
  const all = items.filter((item) => isWithin(item.created ?? 0, created)).toReversed();
  const place = (id: string, param: string) => {
    const index = all.findIndex((item) => item.id === id);
    if (index === -1) throw missing('object', id, param);
    return index;
  };
  let from = 0;
  let to = limit;
  let hasMore = all.length > limit;
  if (startingAfter !== undefined) {
    from = place(startingAfter, 'starting_after') + 1;
    to = from + limit;
    hasMore = all.length > to;
  } else if (endingBefore !== undefined) {
    to = place(endingBefore, 'ending_before');
    from = Math.max(0, to - limit);
    hasMore = from > 0;
  }
  const list = { object: 'list', data: all.slice(from, to), has_more: hasMore, url };
  return expanded(list, paths, books);
}

function isWithin(created: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return created === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return created > gt && created >= gte && created < lt && created <= lte;
}
