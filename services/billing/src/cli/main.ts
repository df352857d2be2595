import { runServiceCommands } from '@pulso/platform/service/service-commands';
import { billing } from '../service.js';

await runServiceCommands(billing);
