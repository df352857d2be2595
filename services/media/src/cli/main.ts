import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { media } from '../service.js';

await runServiceCommands(media);
