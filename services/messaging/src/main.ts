import { runService } from '@pulso/platform/service/run-service';
import { messaging } from './service.js';

await runService(messaging);
