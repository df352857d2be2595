import { runService } from '@pulso/platform/service/run-service';
import { posts } from './service.js';

await runService(posts);
