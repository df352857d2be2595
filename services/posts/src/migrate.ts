import { reaching } from '@pulso/platform/start/engine-address';
import { StartError } from '@pulso/platform/start/start-error';
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

/** Rejects with StartError when MONGODB_URL is out of reach or an index of this version is missing there. */
export async function assertPostsMigrated({ MONGODB_URL }: Pick<PostsConfig, 'MONGODB_URL'>): Promise<void> {
  const missing = await reaching('MONGODB_URL', MONGODB_URL, async () => {
    const store = await PostsStore.open({ MONGODB_URL, MONGODB_POOL: 1 });
    try {
      return await store.missingIndexes();
    } finally {
      await store.close();
    }
  });
  if (missing.length === 0) return;
  throw new StartError(
    `MONGODB_URL: the database lacks indexes of ${missing.join(', ')}. Run this version's \`migrate\` command first.`,
  );
}
