import { runService } from '@pulso/platform/service/run-service';
import { media } from './service.js';

await runService(media);
