import type { Logger } from '@pulso/platform/logging/logger';
import { ChangeTail } from '../store/change-tail.js';
import type { PostsStore } from '../store/posts-store.js';
import type { HiddenPostRow } from './hidden-post.schema.js';
import type { HiddenPosts } from './hidden-posts.js';

/** Reads all hidden posts into memory, then follows them, whichever replica gets the events. */
export function hiddenPostTail(
  store: PostsStore,
  hiddenPosts: HiddenPosts,
  logger: Logger,
): ChangeTail<HiddenPostRow> {
  return new ChangeTail<HiddenPostRow>({
    collection: () => store.raw.hiddenPosts,
    fields: ['authorId', 'hidden', 'version'],
    apply: (rows) => hiddenPosts.refresh(rows),
    logger,
  });
}
