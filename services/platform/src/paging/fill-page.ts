import { turns } from './turns.js';

/** How many rows a turn reads at least, to replace those that the reader may not see. */
const REFILL = 100;

/** How many rows the first turn reads: one more than the page holds tells whether there is a next one. */
export const firstLimit = (size: number) => size + 1;

interface Filling<Row, Shown, Place> {
  /** The place after which the page begins; undefined for the first page. */
  after: Place | undefined;
  /** How many items the page holds. */
  size: number;
  read(after: Place | undefined, limit: number): Promise<readonly Row[]>;
  /** Those of the rows that the reader may see, in their order. */
  shown(rows: readonly Row[]): Promise<readonly Shown[]>;
  placeOf(row: Row): Place;
}

/**
 * Fills a page up with rows that its reader may see. Returns at most `size`, and the place after which the next page begins;
 * undefined when there is none. Throws like `turns`.
 */
export async function fillPage<Row, Shown extends { row: Row }, Place>({
  after,
  size,
  read,
  shown,
  placeOf,
}: Filling<Row, Shown, Place>): Promise<{ found: Shown[]; next: Place | undefined }> {
  const found: Shown[] = [];
  let from = after;
  for (const turn of turns()) {
    const limit = Math.max(firstLimit(size), turn === 0 ? 0 : REFILL);
    const rows = await read(from, limit);
    for (const item of await shown(rows)) {
      if (found.length === size) return { found, next: placeOf(found.at(-1)!.row) };
      found.push(item);
    }
    if (rows.length < limit) return { found, next: undefined };
    from = placeOf(rows.at(-1)!);
  }
  return { found, next: from };
}
