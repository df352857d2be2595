import { runService } from '@pulso/platform/service/run-service';
import { identity } from './service.js';

await runService(identity);
