import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { identity } from '../service.js';

await runServiceCommands(identity);
