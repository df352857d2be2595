import { reaching } from '@pulso/platform/start/engine-address';
import { runServiceCommands } from '@pulso/platform/process/service-commands';
import { systemClock } from '@pulso/platform/time/clock';
import { postsConfigSchema } from '../config.js';
import { LivePosts } from '../feed/live-posts.js';
import { assertPostsMigrated, migratePosts } from '../migrate.js';
import { NOUNS, republishNoun } from '../outbox.js';
import { PostRepository } from '../post/post.repository.js';
import { composeProjections } from '../projection/projections.js';
import { PostsStore } from '../store/posts-store.js';

await runServiceCommands({
  name: 'posts',
  settings: postsConfigSchema.pick({ MONGODB_URL: true }),
  nouns: NOUNS,
  migrate: (config) => reaching('MONGODB_URL', config.MONGODB_URL, () => migratePosts(config)),
  async open(config, logger) {
    await assertPostsMigrated(config);
    const store = await reaching('MONGODB_URL', config.MONGODB_URL, () =>
      PostsStore.open({ ...config, MONGODB_POOL: 2 }),
    );
    return {
      republish: (noun, bus) => republishNoun(store, bus, noun),
      // The consumers write to the store; replicas learn of it by following the store.
      subscribe(bus) {
        const posts = new PostRepository(store, systemClock);
        const livePosts = new LivePosts(posts, systemClock);
        composeProjections({ store, posts, livePosts, clock: systemClock, logger }).subscribe(bus);
      },
      close: () => store.close(),
    };
  },
});
