import type { PostsConfig } from './config.js';
import { PostsStore } from './store/posts-store.js';

/** Brings the posts database to this version: the indexes of every schema; safe to repeat. Never part of the boot. */
export async function migratePosts(config: Pick<PostsConfig, 'MONGODB_URL'>): Promise<void> {
  const store = await PostsStore.open({ ...config, MONGODB_POOL: 1 });
  try {
    await store.createIndexes();
  } finally {
    await store.close();
  }
}
