import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { social } from '../service.js';

await runServiceCommands(social);
