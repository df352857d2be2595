import type { CursorSealer } from '../auth/sealed-cursor.js';
import { pageSize } from './page-size.js';

/** The position of an item in a list that is sorted by time, latest first, then by id, greatest first. */
export interface Position {
  /** Milliseconds since the epoch. */
  createdAt: number;
  id: string;
}

/** What a repository reads of a list at once: at most `limit` items, those behind `after`. */
export interface Slice {
  after: Position | undefined;
  limit: number;
}

/** One request for a page of `list` by `viewerId`. Throws `validation-failed`, `invalid-cursor`. */
export class ListPage {
  /** Undefined for the first page. */
  readonly after: Position | undefined;
  /** How many items the page holds. */
  readonly size: number;

  constructor(
    private readonly sealer: CursorSealer,
    private readonly list: string,
    private readonly viewerId: string | null,
    request: { limit: number; cursor: string },
  ) {
    this.size = pageSize(request.limit);
    this.after = this.open(request.cursor);
  }

  /** The cursor after `position`; empty where there is no more. */
  cursorAfter(position: Position | undefined): string {
    return position ? this.sealer.seal(this.list, this.viewerId, [position.createdAt, position.id]) : '';
  }

  private open(cursor: string): Position | undefined {
    if (cursor === '') return undefined;
    const [createdAt, id] = this.sealer.open(this.list, this.viewerId, cursor) as [number, string];
    return { createdAt, id };
  }
}
