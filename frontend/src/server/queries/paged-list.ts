import { useEffect, useMemo } from 'react';
import { hasCode } from '../http/api-error.js';

/** A page of a list: `nextCursor` asks for the next one, null ends the list (HTTP-5). */
interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/**
 * The part of `useInfiniteQuery`'s options that every list of the API shares. `start` is the cursor that the list begins after, as an
 * address may name it; with one that is not of this list and viewer it begins at its beginning.
 */
export const byCursor = <P extends Page<unknown>>(
  fetchPage: (cursor: string | undefined) => Promise<P>,
  start?: string,
) => ({
  queryFn: async ({ pageParam }: { pageParam: string | undefined }) => {
    try {
      return await fetchPage(pageParam);
    } catch (error) {
      if (pageParam === undefined || pageParam !== start || !hasCode(error, 'invalid-cursor')) throw error;
      return fetchPage(undefined);
    }
  },
  initialPageParam: start,
  getNextPageParam: (page: P) => page.nextCursor ?? undefined,
});

/** Asks for the page after the last one that is loaded: null at the end of the list, undefined while nothing is loaded. */
export const nextCursorOf = (
  data: { pages: { nextCursor: string | null }[] } | undefined,
): string | null | undefined => data?.pages.at(-1)?.nextCursor;

/** The items of all pages, each once: a list that changes between two pages may bring an item twice. */
export function useItems<Item extends { id: string }>(pages: Page<Item>[] | undefined): Item[] | undefined {
  return useMemo(() => {
    if (!pages) return undefined;
    const byId = new Map(pages.flatMap(({ items }) => items.map((item) => [item.id, item])));
    return [...byId.values()];
  }, [pages]);
}

/** The cached pages of a list with other items in each. */
export const withItems = <Pages extends { pages: { items: unknown[] }[] }>(
  cached: Pages,
  change: (items: Pages['pages'][number]['items']) => Pages['pages'][number]['items'],
): Pages => ({ ...cached, pages: cached.pages.map((page) => ({ ...page, items: change(page.items) })) });

/** The part of `useInfiniteQuery`'s result that `useLoadOn` needs. */
interface LoadedPages {
  data: { pages: Page<unknown>[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** Loads on after a page without items that is not the last one (HTTP-5), in a list that otherwise waits for a press. */
export function useLoadOn(list: LoadedPages): void {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const needed =
    data?.pages.at(-1)?.items.length === 0 && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (needed) void fetchNextPage();
  }, [needed, data, fetchNextPage]);
}
