import { fillPage } from '@pulso/platform/paging/fill-page';
import type { ListPage, Slice } from '@pulso/platform/paging/list-page';

/** A row of a list that is sorted by time, latest first, then by id, greatest first. */
export interface ListedRow {
  id: string;
  createdAt: Date;
  /** Whether the reader may see the user in this row. */
  shown: boolean;
}

/**
 * Fills a page up with the rows that are shown. `read` returns the rows of the slice whether they are shown or not, so
 * that the database looks at a bounded number of them for one page (HTTP-5). Throws like `fillPage`.
 */
export async function fillList<Row extends ListedRow>(
  page: ListPage,
  read: (slice: Slice) => Promise<readonly Row[]>,
): Promise<{ rows: Row[]; nextCursor: string }> {
  const { found, next } = await fillPage({
    ...{ after: page.after, size: page.size },
    read: (after, limit) => read({ after, limit }),
    shown: async (rows) => rows.flatMap((row) => (row.shown ? [{ row }] : [])),
    placeOf: ({ createdAt, id }: Row) => ({ createdAt: createdAt.getTime(), id }),
  });
  return { rows: found.map(({ row }) => row), nextCursor: page.cursorAfter(next) };
}
