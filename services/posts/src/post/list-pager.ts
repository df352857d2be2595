import { Injectable } from '@nestjs/common';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';

/**
 * Pages of lists in the order of their ids. The cursor contains the last id of the page, which contains `createdAt`.
 */
@Injectable()
export class ListPager {
  constructor(private readonly sealer: CursorSealer) {}

  /** The id to continue after; undefined for the first page. Throws `invalid-cursor`. */
  position(list: string, viewerId: string | null, cursor: string): string | undefined {
    if (cursor === '') return undefined;
    const value = this.sealer.open(list, viewerId, cursor);
    if (typeof value !== 'string' || !isId(value))
      throw new Error(`a cursor of ${list} does not contain an id`);
    return value;
  }

  /** The cursor after `lastId`; empty when there is no more. */
  next(list: string, viewerId: string | null, lastId: string | undefined): string {
    return lastId === undefined ? '' : this.sealer.seal(list, viewerId, lastId);
  }
}
