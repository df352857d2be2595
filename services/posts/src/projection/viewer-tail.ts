import type { Logger } from '@pulso/platform/logging/logger';
import { ChangeTail } from '../store/change-tail.js';
import type { PostsStore } from '../store/posts-store.js';
import type { ViewerRow } from './viewer.schema.js';
import type { Viewers } from './viewers.js';

/** Keeps the counters that this process remembers equal to the store's: another replica may have bumped them. */
export function viewerTail(store: PostsStore, viewers: Viewers, logger: Logger): ChangeTail<ViewerRow> {
  return new ChangeTail<ViewerRow>({
    collection: () => store.raw.viewers,
    fields: ['graphVersion', 'likeVersion'],
    apply: (rows) => viewers.refresh(rows),
    logger,
    fromNow: true,
  });
}
