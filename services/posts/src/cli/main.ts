import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { posts } from '../service.js';

await runServiceCommands(posts);
