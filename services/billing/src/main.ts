import { runService } from '@pulso/platform/service/run-service';
import { billing } from './service.js';

await runService(billing);
