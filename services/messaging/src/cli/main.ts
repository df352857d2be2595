import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { messaging } from '../service.js';

await runServiceCommands(messaging);
