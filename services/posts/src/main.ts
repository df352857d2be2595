import { runService } from '@pulso/platform/process/run-service';
import { startPosts } from './app.js';
import { assertPostsMigrated } from './migrate.js';
import { postsProcessSchema } from './process-config.js';

await runService({
  name: 'posts',
  settings: postsProcessSchema,
  assertReady: assertPostsMigrated,
  start: startPosts,
});
