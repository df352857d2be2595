import type { Logger } from '@pulso/platform/logging/logger';
import type { PostDocument } from '../post/post.schema.js';
import { ChangeTail } from '../store/change-tail.js';
import type { PostsStore } from '../store/posts-store.js';
import type { LivePosts } from './live-posts.js';

/** Keeps this process's posts equal to the store's, whoever writes them. */
export function postTail(store: PostsStore, livePosts: LivePosts, logger: Logger): ChangeTail<PostDocument> {
  return new ChangeTail<PostDocument>({
    collection: () => store.raw.posts,
    fields: ['authorId', 'visibility', 'live', 'version'],
    apply: (posts, catchingUp) => livePosts.applyChanges(posts, catchingUp),
    logger,
  });
}
