import type { CursorSealer } from '../auth/sealed-cursor.js';
import { pageSize } from './page-size.js';

/** The position of an item in a list that is sorted by time, latest first, then by id, greatest first. */
export interface Position {
  /** Milliseconds since the epoch. */
  createdAt: number;
  id: string;
}

/** The items that a repository reads: one more than the page holds shows whether there is a next page. */
export interface Slice {
  after: Position | undefined;
  limit: number;
}

/** One request for a page of `list` by `viewerId`. Throws `validation-failed`, `invalid-cursor`. */
export class ListPage {
  readonly slice: Slice;
  /** How many items the page holds. */
  readonly size: number;

  constructor(
    private readonly sealer: CursorSealer,
    private readonly list: string,
    private readonly viewerId: string | null,
    request: { limit: number; cursor: string },
  ) {
    this.size = pageSize(request.limit);
    this.slice = { after: this.open(request.cursor), limit: this.size + 1 };
  }

  /** Cuts the items read for `slice` to the page's items and the cursor after them, which is empty on the last page. */
  cut<T extends Position>(found: readonly T[]): { items: T[]; nextCursor: string } {
    const items = found.slice(0, this.size);
    const last = found.length > this.size ? items.at(-1) : undefined;
    return { items, nextCursor: this.cursorAfter(last) };
  }

  /** For a list that cuts its pages itself: the cursor after `position`, empty where there is no more. */
  cursorAfter(position: Position | undefined): string {
    return position ? this.sealer.seal(this.list, this.viewerId, [position.createdAt, position.id]) : '';
  }

  private open(cursor: string): Position | undefined {
    if (cursor === '') return undefined;
    const [createdAt, id] = this.sealer.open(this.list, this.viewerId, cursor) as [number, string];
    return { createdAt, id };
  }
}
