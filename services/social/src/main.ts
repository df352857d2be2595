import { runService } from '@pulso/platform/service/run-service';
import { social } from './service.js';

await runService(social);
