import { Injectable } from '@nestjs/common';
import { CursorSealer } from '@pulso/platform/auth/sealed-cursor';
import type { FeedPosition } from '../feed-index/feed-index.js';

const LIST_NAME = 'feed';

/** The feed's cursors: the frozen clock and the last item of a page, for its viewer only (FEED-6, FEED-8). */
@Injectable()
export class FeedCursors {
  constructor(private readonly sealer: CursorSealer) {}

  seal(viewerId: string, { asOf, score, id }: FeedPosition): string {
    return this.sealer.seal(LIST_NAME, viewerId, [asOf, score, id]);
  }

  /** Throws `invalid-cursor`. */
  open(viewerId: string, cursor: string): FeedPosition {
    // A cursor that opens was sealed here.
    const [asOf, score, id] = this.sealer.open(LIST_NAME, viewerId, cursor) as [number, number, string];
    return { asOf, score, id };
  }
}
